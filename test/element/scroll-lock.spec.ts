import { expect } from '@open-wc/testing';
import { lockScroll } from '../../src/element/scroll-lock.js';

describe('the scroll lock', () => {
  const root = document.documentElement;

  afterEach(() => {
    root.removeAttribute('style');
  });

  it('gives back exactly what was there, in whatever order the holders let go', () => {
    root.style.setProperty('overflow', 'clip', 'important');
    const before = root.getAttribute('style');
    const releases = [lockScroll(), lockScroll(), lockScroll()];
    expect(root.style.overflow).to.equal('hidden');
    releases[1]?.();
    releases[1]?.();
    releases[0]?.();
    expect(root.style.overflow).to.equal('hidden');
    releases[2]?.();
    expect(root.getAttribute('style')).to.equal(before);
  });

  it('leaves no empty attribute behind', () => {
    lockScroll()();
    expect(root.hasAttribute('style')).to.equal(false);
  });
});
