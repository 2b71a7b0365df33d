// Opens the application by a package that others would take, each as its documentation says.

/** Each resolves when the package says that the page is there. */
const openBy = {
  async Penpal(url) {
    const frame = createFrame(url);
    const { connect, WindowMessenger } = globalThis.Penpal;
    document.body.append(frame);
    const allowedOrigins = [new URL(url).origin];
    await connect({ messenger: new WindowMessenger({ remoteWindow: frame.contentWindow, allowedOrigins }) }).promise;
  },
  async zoid(url) {
    const dimensions = { width: '600px', height: '600px' };
    const tag = 'licensing-application';
    const Application = globalThis.zoid.create({ tag, url, domain: new URL(url).origin, dimensions });
    await Application({}).render('main');
  },
  'iframe-resizer': (url) =>
    new Promise((onInit) => {
      const frame = createFrame(url);
      document.body.append(frame);
      globalThis.iFrameResize({ checkOrigin: [new URL(url).origin], onInit }, frame);
    }),
  // A small script in the page, which loads the one that opens the frame.
  'loader script': (url) =>
    new Promise((resolve) => {
      globalThis.openFrame = () => {
        document.body.append(createFrame(url));
        resolve();
      };
      const script = document.createElement('script');
      script.src = '/open-frame.js';
      document.body.append(script);
    }),
};

function createFrame(url) {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width:600px;height:600px';
  frame.src = url;
  return frame;
}

/**
 * Resolves with the time at which the application is ready, after a click of the trigger: the package
 * says so, and the application has said hello as in a bare frame.
 */
globalThis.openByPeer = (peer, trigger, url) =>
  new Promise((resolve, reject) => {
    const hello = new Promise((heard) => {
      addEventListener('message', ({ data }) => data?.t === 'hello' && heard());
    });
    trigger.addEventListener('click', () => {
      Promise.all([openBy[peer](url), hello]).then(() => resolve(performance.now()), reject);
    });
  });
