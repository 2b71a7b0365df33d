import type { Language } from '../../src/contract/index.js';
import type { ErrorCode } from '../../src/element/index.js';
import type { Camera } from './camera.js';
import type { ElementStage } from './element-stage.js';
import {
  everyMode,
  hostedIn,
  inFrames,
  inTouch,
  meetRefusal,
  shootInModes,
  waitInVain,
  type Situation,
} from './in-modes.js';
import type { Studio } from './studio.js';

/** Each failure, in the modes where it can occur. The compiler reports missing ones. */
const failures: Readonly<Record<ErrorCode, Situation>> = {
  not_configured: failing('not_configured', everyMode, open),
  url_refused: failing('url_refused', everyMode, (stage, attributes) =>
    openAddress(stage, attributes, 'ftp://a.example/'),
  ),
  offline: failing('offline', everyMode, async (stage, attributes) => {
    await stage.visit({ attributes: `${attributes} session-url="/sessions/hangs"` });
    await stage.element.locator('button').hover();
    await stage.page.waitForLoadState('networkidle');
    await stage.page.context().setOffline(true);
    await stage.press();
  }),
  load_failed: failing('load_failed', ['modal', 'popup'], async (stage, attributes) => {
    await stage.page.route('**/chunks/*', (route) => route.abort());
    await open(stage, attributes);
  }),
  internal_error: failing('internal_error', everyMode, async (stage, attributes) => {
    await stage.visit({ attributes: `${attributes} session-url="/sessions/fails"` });
    await stage.page.evaluate(() => {
      crypto.getRandomValues = () => {
        throw new TypeError('replaced');
      };
    });
    await stage.press();
  }),
  session_unreachable: failing('session_unreachable', everyMode, withBackend('dies')),
  not_signed_in: failing('not_signed_in', everyMode, withBackend('leads-away')),
  session_failed: failing('session_failed', everyMode, withBackend('fails')),
  session_unreadable: failing('session_unreadable', everyMode, withBackend('unreadable')),
  session_expired: failing('session_expired', everyMode, async (stage, attributes, mode) => {
    await stage.visit({ attributes });
    if (mode === 'redirect') return returnExpired(stage);
    await stage.useScript('expired');
    await stage.press();
    await stage.seeState('active');
    await (await hostedIn(stage, mode)).locator('form button').click();
  }),
  frame_blocked_by_page: failing('frame_blocked_by_page', inFrames, (stage, attributes) =>
    openAddress(stage, attributes, 'http://127.0.0.1:1/', "frame-src 'none'"),
  ),
  // No page can detect this, so there is no event: the user sees the browser's own message and the
  // button for a new window.
  frame_blocked_by_application: { modes: inFrames, arrange: meetRefusal },
  // The hosted pages have the headers for it.
  frame_blocked_by_isolation: { modes: [], arrange: meetRefusal },
  // This is no error either: the window is offered again.
  popup_blocked: {
    modes: ['popup'],
    async arrange(stage, attributes) {
      await stage.page.addInitScript(() => (window.open = () => null));
      await stage.visit({ attributes });
      await stage.useBridge();
      await stage.press();
      await stage.element.locator('slot[name=blocked]').waitFor();
    },
  },
  protocol_mismatch: failing('protocol_mismatch', inTouch, async (stage, attributes) => {
    await stage.visit({ attributes });
    await stage.useForeignHost('newer');
    await stage.press();
    await stage.seeState('active');
  }),
  timeout: failing('timeout', inFrames, (stage, attributes) => waitInVain(stage, attributes, 21_000)),
  connection_lost: failing('connection_lost', inFrames, async (stage, attributes) => {
    await stage.visit({ attributes });
    await stage.useBridge();
    await stage.press();
    await stage.seeState('active');
    // A page that is not ours follows, as after a failure of the network.
    await stage.page
      .frames()
      .at(-1)
      ?.evaluate(() => {
        location.replace('about:blank');
      });
    await stage.element.locator('[part~=footer]').waitFor();
  }),
  application_failed: failing('application_failed', inTouch, async (stage, attributes) => {
    await stage.visit({ attributes });
    await stage.useForeignHost('failing');
    await stage.press();
  }),
};

/** Every failure of an opening. */
export async function shootElementFailures(studio: Studio, camera: Camera, language: Language): Promise<void> {
  await shootInModes(failures, studio, camera, language);
}

/** A failure that the page receives as this code. */
function failing(code: ErrorCode, modes: Situation['modes'], bringAbout: Situation['arrange']): Situation {
  return {
    modes,
    async arrange(stage, attributes, mode) {
      await bringAbout(stage, attributes, mode);
      await stage.seeError(code);
    },
  };
}

function withBackend(name: string): Situation['arrange'] {
  return (stage, attributes) => open(stage, `${attributes} session-url="/sessions/${name}"`);
}

async function open(stage: ElementStage, attributes: string): Promise<void> {
  await stage.visit({ attributes });
  await stage.press();
}

async function openAddress(stage: ElementStage, attributes: string, address: string, policy = ''): Promise<void> {
  await stage.visit({ attributes, policy });
  await stage.useAddress(address);
  await stage.press();
}

/** The link expires in the hosted application, which then redirects back. */
async function returnExpired(stage: ElementStage): Promise<void> {
  await stage.useBridge();
  await stage.press();
  await stage.page.locator('main a.button').first().waitFor();
  await stage.studio.expireIn(stage.session(), -1);
  await stage.page.reload();
}
