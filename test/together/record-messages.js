// Runs in the partner's page: keeps a copy of all that arrives there by message, on windows and on
// ports. A file of its own, because a function that a loader has compiled refers to the loader's
// own helpers.
globalThis.heardMessages = [];
globalThis.heapCanary = ['heap-canary', 'of-the-test'].join('-');

function hear(event) {
  globalThis.heardMessages.push(event.data);
}

window.addEventListener('message', hear);
// A port is listened to by `onmessage` or by `addEventListener` and `start()`: either way we listen
// first.
const { start } = MessagePort.prototype;
MessagePort.prototype.start = function startAndHear() {
  this.addEventListener('message', hear);
  start.call(this);
};
const onmessage = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
Object.defineProperty(MessagePort.prototype, 'onmessage', {
  ...onmessage,
  set(listener) {
    this.addEventListener('message', hear);
    onmessage.set.call(this, listener);
  },
});
