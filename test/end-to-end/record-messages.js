// Runs in the partner's page: records all messages on windows and ports. A separate file, because a
// compiled function would refer to helpers of the loader.
globalThis.heardMessages = [];
globalThis.heapCanary = ['heap-canary', 'of-the-test'].join('-');

function hear(event) {
  globalThis.heardMessages.push(event.data);
}

window.addEventListener('message', hear);
// Listens before any `onmessage` or `addEventListener` with `start()` of the page.
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
