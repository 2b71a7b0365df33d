import { expect, html } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { hosted, nextEvent, ofType, setup, type Stage } from './stage.js';
import { watchWindows, type Windows } from './windows.js';

const modes = ['modal', 'inline', 'popup', 'redirect'] as const;

describe('licensing-beforeopen', function () {
  // Each window of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  let windows: Windows;

  beforeEach(() => {
    windows = watchWindows();
  });

  function setupIn(mode: LicensingApply['mode']): Promise<Stage> {
    return setup({ template: html`<licensing-apply mode=${mode}></licensing-apply>` });
  }

  /** Records how many windows are open when each `licensing-beforeopen` is dispatched. */
  function watchBeforeOpen({ element }: Stage): number[] {
    const windowCounts: number[] = [];
    element.addEventListener('licensing-beforeopen', () => windowCounts.push(windows.opened.length));
    return windowCounts;
  }

  for (const mode of modes)
    it(`licensing-beforeopen is dispatched within show() in mode ${mode}, and prevents the opening`, async () => {
      const stage = await setupIn(mode);
      stage.element.addEventListener('licensing-beforeopen', (event) => {
        event.preventDefault();
      });
      const windowCounts = watchBeforeOpen(stage);
      const showing = stage.element.show();
      expect(windowCounts).to.deep.equal([0]);
      expect(await showing).to.equal(false);
      expect(windowCounts).to.deep.equal([0]);
      expect(windows.opened).to.have.length(0);
      expect(stage.requests).to.have.length(0);
      expect(stage.element.state).to.equal('idle');
      expect(stage.element.open).to.equal(false);
    });

  it('licensing-beforeopen is dispatched before the popup opens, in the same task', async () => {
    const stage = await setupIn('popup');
    const windowCounts = watchBeforeOpen(stage);
    const ready = nextEvent(stage, 'licensing-ready');
    void stage.element.show();
    expect(windowCounts).to.deep.equal([0]);
    expect(windows.opened).to.have.length(1);
    await ready;
    expect(ofType(stage, 'licensing-beforeopen').map(({ mode }) => mode)).to.deep.equal(['popup']);
  });

  it('licensing-beforeopen has the mode that is tried first, and a fallback does not dispatch it again', async () => {
    windows.block(1);
    const stage = await setup({
      template: html`<licensing-apply mode="popup" fallback="modal"></licensing-apply>`,
      session: { applicationUrl: hosted() },
    });
    const windowCounts = watchBeforeOpen(stage);
    const ready = nextEvent(stage, 'licensing-ready');
    void stage.element.show();
    expect(windowCounts).to.deep.equal([0]);
    await ready;
    expect(ofType(stage, 'licensing-beforeopen').map(({ mode }) => mode)).to.deep.equal(['popup']);
    expect(ofType(stage, 'licensing-modechange').map(({ to }) => to)).to.deep.equal(['modal']);
  });
});
