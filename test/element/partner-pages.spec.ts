import { expect } from '@open-wc/testing';
import { addCleanup, inState, ofType, opened, setup } from './stage.js';

describe('<licensing-apply> in the pages of partners', function () {
  // Frames of another site start a process each, which is slow on a busy machine.
  this.timeout(15_000);

  it('opens in a page over http, where crypto.randomUUID does not exist', async () => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    addCleanup(() => Reflect.deleteProperty(crypto, 'randomUUID'));
    const stage = await setup();
    await opened(stage);
    expect(stage.requests[0]?.returnState).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('reports an exception of the browser as internal_error with its cause, and not as files that are missing', async () => {
    const stage = await setup();
    const cause = new TypeError('replaced');
    const { getRandomValues } = crypto;
    crypto.getRandomValues = () => {
      throw cause;
    };
    addCleanup(() => {
      crypto.getRandomValues = getRandomValues;
    });
    expect(await stage.element.show()).to.equal(false);
    await inState(stage, 'error');
    const [error] = ofType(stage, 'licensing-error');
    expect(error).to.include({ code: 'internal_error', recoverable: true, cause });
  });
});
