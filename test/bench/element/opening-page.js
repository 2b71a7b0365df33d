// Runs in the measured page: opens the application as the URL says, and reports the duration.

const { what, intent, restMs, source, reportUrl } = JSON.parse(decodeURIComponent(location.hash.slice(1)));

const main = document.querySelector('main') ?? document.body;
const trigger = document.createElement('button');

/**
 * Adds a trigger to the page. Returns a promise of the time of the application's first message; it
 * rejects when none can come.
 */
function prepareBare() {
  main.append(trigger);
  trigger.addEventListener('click', openBare);
  return new Promise((resolve) => {
    addEventListener('message', ({ source: sender }) => {
      if (sender === document.querySelector('iframe')?.contentWindow) resolve(performance.now());
    });
  });
}

function openBare() {
  const session = source.sessionUrl && fetch(source.sessionUrl, { method: 'POST' }).then((answer) => answer.json());
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width:600px;height:600px';
  if (source.applicationUrl) frame.src = source.applicationUrl;
  void session?.then(({ applicationUrl }) => (frame.src = applicationUrl));
  if (what === 'dialog') {
    const dialog = document.createElement('dialog');
    dialog.append(frame);
    main.append(dialog);
    dialog.showModal();
  } else main.append(frame);
}

/** The same with the element. */
function prepareElement() {
  const element = document.createElement('licensing-apply');
  Object.assign(element, { ...source, preload: intent ? 'intent' : 'none', mode: what });
  trigger.slot = 'trigger';
  element.append(trigger);
  main.append(element);
  return new Promise((resolve, reject) => {
    element.addEventListener('licensing-ready', () => resolve(performance.now()));
    element.addEventListener('licensing-error', ({ code }) => reject(new Error(code)));
  });
}

/** The same with a package of others, whose page has this function. */
function preparePeer() {
  main.append(trigger);
  return globalThis.openByPeer(what, trigger, source.applicationUrl);
}

const preparations = { bare: prepareBare, dialog: prepareBare };

async function measure() {
  const prepare = preparations[what] ?? (globalThis.openByPeer ? preparePeer : prepareElement);
  if (prepare === prepareElement) await customElements.whenDefined('licensing-apply');
  const ready = prepare();
  await new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)));
  if (intent) trigger.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  await new Promise((rested) => setTimeout(rested, restMs));
  const pressedAt = performance.now();
  trigger.click();
  return (await ready) - pressedAt;
}

const report = await measure().then(
  (ms) => ({ ms }),
  (error) => ({ failure: String(error) }),
);
await fetch(reportUrl, { method: 'POST', mode: 'no-cors', body: JSON.stringify(report) });
close();
