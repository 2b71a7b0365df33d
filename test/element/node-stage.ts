import type { ElementHandlers, PageEnd, Snapshot } from '../../src/channel/index.js';
import { openPageEnd } from '../../src/channel/index.js';
import type { PartnerSession, PartnerSessionRequest } from '../../src/contract/index.js';
import { Controller, type ControllerHost } from '../../src/element/controller.js';
import { languageFor } from '../../src/element/locales/language.js';
import type { OpenRequest } from '../../src/element/opening/opening.js';
import { settle } from '../channel/windows.js';
import { eventNames } from '../../src/testing/recorded-events.js';
import { type FakePage, hostedOrigin, installPage } from './node-page.js';

/** The controller of an element in Node, whose application opens in a popup. */
export interface ControllerStage extends FakePage {
  controller: Controller;
  host: ControllerHost;
  /** The events of the element: their names, with the most telling field. */
  events: string[];
  requests: FakePage['requests'];
  sessionRequests: PartnerSessionRequest[];
  /** The popup's state, for the browser that the test plays. */
  popup: { closed: boolean; urls: string[] };
  show(request?: Partial<OpenRequest>): Promise<boolean | undefined>;
  /** The hosted page of the popup connects. */
  connectPage(handlers?: Partial<ElementHandlers>, snapshot?: Partial<Snapshot>): Promise<PageEnd>;
  /** Receives a report of the return script, from the popup unless `fields` say otherwise. */
  receiveReturn(report: object, fields?: object): void;
  end(): Promise<void>;
}

const snapshot: Snapshot = { step: 'profile', index: 1, count: 6, dirty: false, states: [] };

/** Creates an element that has this session and these attributes. */
export function openStage(session: Partial<PartnerSession> = {}, attributes: object = {}): ControllerStage {
  const page = installPage();
  const events: string[] = [];
  const sessionRequests: PartnerSessionRequest[] = [];
  const popup = Object.assign(page.hosted.view, { closed: false, urls: [] as string[], focus: () => undefined });
  Object.assign(popup, { close: () => Object.assign(popup, { closed: true }) });
  Object.assign(popup.location, { replace: (url: string) => popup.urls.push(url) });

  const host = Object.assign(new EventTarget(), {
    ...{
      id: '',
      open: false,
      isConnected: true,
      updateComplete: Promise.resolve(),
      requestUpdate: () => undefined,
      addController: () => undefined,
    },
    ...{
      shadowRoot: null,
      matches: () => false,
      closest: () => null,
      locale: 'en',
      mode: 'popup',
      fallback: '',
      allow: '',
    },
    ...{ sessionUrl: '', applicationUrl: '', applicationId: '', statusUrl: '', eventsUrl: '' },
    sessionProvider: ({ signal: _signal, ...request }: PartnerSessionRequest & { signal: AbortSignal }) => {
      sessionRequests.push(request);
      return { applicationUrl: `${hostedOrigin}/s/1`, applicationId: 'app_1', ...session };
    },
    ...attributes,
  }) as unknown as ControllerHost;
  const telling = ['outcome', 'by', 'code', 'to', 'reason', 'source'];
  for (const type of eventNames)
    host.addEventListener(type, (event) => {
      const fields = telling.map((name) => (event as unknown as Record<string, unknown>)[name]).filter(Boolean);
      events.push([type.replace('licensing-', ''), ...fields].join(' '));
    });
  const controller = new Controller({ host, language: () => languageFor('en'), show });
  const ends: PageEnd[] = [];

  async function show(request: Partial<OpenRequest> = {}): Promise<boolean> {
    const full = { reason: 'open', ...request } as const;
    const result = controller.resultWithoutOpening(full);
    if (result !== undefined) return result;
    popup.closed = false;
    const opened = await controller.open({ popup, ...full });
    await settle();
    return opened;
  }

  return {
    ...page,
    ...{ controller, host, events, sessionRequests, popup, show },
    async connectPage(handlers = {}, changes = {}) {
      ends.at(-1)?.close();
      const end = openPageEnd({
        target: page.element.view,
        window: page.hosted.view,
        origins: [page.location.origin],
        snapshot: { ...snapshot, ...changes },
        handlers: {
          configure: () => ({}),
          confirmClose: () => ({ dirty: false }),
          navigateBack: () => ({ moved: false }),
          session: () => ({}),
          ...handlers,
        },
        onConnect: () => undefined,
      });
      ends.push(end);
      await settle();
      return end;
    },
    receiveReturn(report, fields) {
      const data = { ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'nonce', ...report };
      page.element.receive(data, { origin: page.location.origin, ...fields });
    },
    async end() {
      controller.disconnect();
      await settle();
      for (const end of ends) end.close();
      page.restore();
    },
  };
}
