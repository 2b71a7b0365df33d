import { expect } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import { addFrame, openStage, origins, puppetOf, puppetUrl, type Puppet, type Stage, until } from '../channel/stage.js';

/** The progress of the application on that page. */
export const snapshot = { step: 'background' as const, index: 3, count: 6, dirty: false, states: [] };

/** A page that calls `connectHostedPage`, and the element's end for it. */
export async function setup(): Promise<
  Stage & { page: Puppet; frame: HTMLIFrameElement; last(type: string): Promise<unknown> }
> {
  const frame = addFrame(puppetUrl(origins.application));
  const stage = openStage(() => frame.contentWindow);
  const page = await puppetOf(frame.contentWindow!);
  await page.run(
    (scope, allowedOrigins, start) => {
      scope.page = scope.hosted.connectHostedPage({
        allowedOrigins,
        snapshot: { ...start, savedAt: '2026-11-20T12:00:00.000Z' },
        onConfigure: (init) => scope.connects.push(init),
        onSession: (payload) => scope.calls.push({ type: 'session', payload }) === 1,
        navigateBack: () => true,
        onRejected: (rejection) => scope.rejections.push(rejection),
      });
    },
    [origins.own],
    snapshot,
  );
  for (const wanted of ['resize', 'ready'])
    await until(() => stage.messages.some(({ type }) => type === wanted), wanted);
  return {
    ...stage,
    page,
    frame,
    async last(wanted) {
      await until(() => stage.messages.some(({ type }) => type === wanted), wanted);
      return stage.messages.findLast(({ type }) => type === wanted)?.payload;
    },
  };
}

/**
 * Resolves when everything that the page sent so far has arrived, because the port keeps the order.
 */
export async function settled({
  page,
  end,
  messages,
}: Pick<Stage, 'end' | 'messages'> & { page: Puppet }): Promise<void> {
  const before = messages.filter(({ type }) => type === 'sessionExpiring').length;
  await page.run(({ page }) => page?.sessionExpiring(1));
  await until(() => messages.filter(({ type }) => type === 'sessionExpiring').length > before, 'all arrived');
  expect(end.connected).to.equal(true);
}

/** Moves the real focus into the field inside the frame, like a user. */
export async function clickInput(frame: HTMLIFrameElement, page: Puppet): Promise<void> {
  const { x, y } = frame.getBoundingClientRect();
  const inside = await page.run(() => {
    const { left, top } = document.querySelector('input')!.getBoundingClientRect();
    return { left, top };
  });
  const position: [number, number] = [Math.round(x + inside.left + 10), Math.round(y + inside.top + 10)];
  // Until the frame has been painted, a click lands on the page around it.
  await until(async () => {
    await sendMouse({ type: 'click', position });
    return page.run(() => document.activeElement instanceof HTMLInputElement);
  }, 'the field has the focus');
}
