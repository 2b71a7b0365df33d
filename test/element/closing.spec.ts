import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  focused,
  has,
  inState,
  makeDirty,
  nextEvent,
  ofType,
  opened,
  part,
  setup,
  waitUntil,
  type Stage,
} from './stage.js';

const closings = (stage: Stage) => ofType(stage, 'licensing-close').map(({ outcome, by }) => ({ outcome, by }));

async function untilAsked(stage: Stage): Promise<HTMLDialogElement> {
  await waitUntil(() => has(stage, '.question[open]'), 'the question');
  return part<HTMLDialogElement>(stage, '.question');
}

/** Opens the application and types something there. */
async function openedDirty(): Promise<Stage> {
  const stage = await setup();
  await opened(stage);
  await makeDirty(stage, { savedAt: '2026-11-20T14:02:00Z' });
  return stage;
}

/** The focus moves into the frame once the page is revealed. */
const untilFrameHasFocus = (stage: Stage) =>
  waitUntil(() => focused(stage)?.localName === 'iframe', 'focus in the frame');

describe('closing', () => {
  const ways: [way: string, by: string, act: (stage: Stage) => unknown][] = [
    ['the close button', 'button', (stage) => part(stage, '.close').click()],
    [
      'Escape outside of the frame',
      'escape',
      async (stage) => {
        await untilFrameHasFocus(stage);
        part(stage, '.close').focus();
        await sendKeys({ press: 'Escape' });
      },
    ],
    [
      'Escape inside of the frame',
      'escape',
      async (stage) => {
        await untilFrameHasFocus(stage);
        await sendKeys({ press: 'Escape' });
      },
    ],
    ['close()', 'call', ({ element }) => element.close()],
  ];
  for (const [way, by, act] of ways)
    it(`${way} closes an application that was not submitted as unsubmitted`, async () => {
      const stage = await setup();
      await opened(stage);
      await act(stage);
      await inState(stage, 'closed');
      expect(ofType(stage, 'licensing-beforeclose').map((event) => event.by)).to.deep.equal([by]);
      expect(closings(stage)).to.deep.equal([{ outcome: 'unsubmitted', by }]);
    });

  it('a user with unsaved input is asked, and stays by the button', async () => {
    const stage = await openedDirty();
    const closed = stage.element.close();
    const question = await untilAsked(stage);
    expect(question.matches(':modal')).to.equal(true);
    expect(question.textContent.replace(/\s+/g, ' ').trim()).to.match(
      /^Leave without saving this page\? .* saved at \d/,
    );
    expect(ofType(stage, 'licensing-beforeclose').map(({ dirty }) => dirty)).to.deep.equal([true]);
    part(stage, '.question button').click();
    expect(await closed).to.equal(false);
    await stage.element.updateComplete;
    expect([has(stage, '.question'), stage.element.state]).to.deep.equal([false, 'active']);
  });

  it('Escape at the question means to stay, and the user is asked again the next time', async () => {
    const stage = await openedDirty();
    for (const round of [1, 2, 3]) {
      const closed = stage.element.close();
      await untilAsked(stage);
      await sendKeys({ press: 'Escape' });
      expect(await closed, `round ${round}`).to.equal(false);
    }
    expect(part(stage, 'dialog').matches(':modal')).to.equal(true);
  });

  it('the frame that had the focus has it again when the user stays', async () => {
    const stage = await openedDirty();
    // The first key may still go to the process of the frame, which had the focus.
    const moveIntoFrame = async () => {
      part(stage, '.close').focus();
      await sendKeys({ press: 'Tab' });
      return focused(stage)?.localName === 'iframe';
    };
    await waitUntil(moveIntoFrame, 'focus in the frame');
    const closed = stage.element.close();
    await untilAsked(stage);
    await sendKeys({ press: 'Escape' });
    expect(await closed).to.equal(false);
    await waitUntil(() => !has(stage, '.question'));
    expect(focused(stage)?.localName).to.equal('iframe');
  });

  it('close({ force: true }) closes without a question, also while one is open', async () => {
    const stage = await openedDirty();
    const asked = stage.element.close();
    await untilAsked(stage);
    expect(await stage.element.close({ force: true })).to.equal(true);
    expect(await asked).to.equal(true);
    expect(stage.element.state).to.equal('closed');
    expect(ofType(stage, 'licensing-close')).to.have.length(1);
  });

  it('the open attribute taken away asks a user with unsaved input, and is there again when the user stays', async () => {
    const stage = await openedDirty();
    const { element } = stage;
    element.removeAttribute('open');
    await untilAsked(stage);
    expect(ofType(stage, 'licensing-beforeclose').map(({ dirty, by }) => ({ dirty, by }))).to.deep.equal([
      { dirty: true, by: 'call' },
    ]);
    part(stage, '.question button').click();
    await waitUntil(() => element.hasAttribute('open'));
    expect([element.state, has(stage, 'iframe[sandbox]')]).to.deep.equal(['active', true]);
    expect(closings(stage)).to.deep.equal([]);
  });

  it('the open property set to false closes when the user with unsaved input leaves', async () => {
    const stage = await openedDirty();
    stage.element.open = false;
    await untilAsked(stage);
    part(stage, '.question button:last-child').click();
    await inState(stage, 'closed');
    expect(stage.element.open).to.equal(false);
    expect(closings(stage)).to.deep.equal([{ outcome: 'unsubmitted', by: 'call' }]);
    expect(stage.element.snapshot.dirty, 'nothing is unsaved any more').to.equal(false);
  });

  it('the open property is true again when licensing-beforeclose is prevented', async () => {
    const stage = await openedDirty();
    const asked = nextEvent(stage, 'licensing-beforeclose');
    stage.element.addEventListener('licensing-beforeclose', (event) => event.preventDefault());
    stage.element.open = false;
    await asked;
    await waitUntil(() => stage.element.open);
    expect(has(stage, '.question')).to.equal(false);
    expect(stage.element.state).to.equal('active');
    expect(closings(stage)).to.deep.equal([]);
  });
});
