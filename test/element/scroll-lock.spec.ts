import { expect } from '@open-wc/testing';
import { lockScroll } from '../../src/element/container/modal-dialog.js';

const root = document.documentElement;
const content = document.createElement('div');

beforeEach(() => {
  content.style.cssText = 'block-size: 5000px; inline-size: 5000px';
  document.body.append(content);
});

afterEach(() => {
  content.remove();
  root.removeAttribute('style');
});

it('lockScroll() locks the page until the last lock is released, in any order', () => {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  root.style.setProperty('overflow', 'clip scroll');
  const overflow = () => getComputedStyle(root).overflow;
  const before = overflow();
  const releases = [lockScroll(), lockScroll(), lockScroll()];
  expect(overflow()).to.equal('hidden');
  releases[1]?.();
  releases[1]?.();
  releases[0]?.();
  expect(overflow()).to.equal('hidden');
  releases[2]?.();
  expect(overflow()).to.equal(before);
  expect(document.adoptedStyleSheets).to.deep.equal([sheet]);
  document.adoptedStyleSheets = [];
});

it('lockScroll() overrides important styles of the page', () => {
  const style = document.createElement('style');
  style.textContent = 'html:root:not(#x){overflow:scroll!important}';
  document.head.append(style);
  const release = lockScroll();
  expect(getComputedStyle(root).overflow).to.equal('hidden');
  release();
  expect(getComputedStyle(root).overflow).to.equal('scroll');
  style.remove();
});

it('lockScroll() changes no style attribute of the page', () => {
  root.style.setProperty('scroll-behavior', 'smooth');
  const before = root.getAttribute('style');
  const release = lockScroll();
  expect(root.getAttribute('style')).to.equal(before);
  release();
  expect(root.getAttribute('style')).to.equal(before);
});

it('lockScroll() restores the scroll position that the lock changed, without smooth scrolling', () => {
  root.style.setProperty('scroll-behavior', 'smooth');
  const release = lockAt(700, { losesPosition: true });
  expect(window.scrollY).to.equal(0);
  release();
  expect([window.scrollX, window.scrollY]).to.deep.equal([40, 700]);
});

it('lockScroll() leaves a page where it is that left the modal behind, showed another URL or scrolled itself', () => {
  const gone = lockAt(700, { losesPosition: true, isInPage: () => false });
  gone();
  expect(window.scrollY, 'without the modal').to.equal(0);
  const navigated = lockAt(700, { losesPosition: true });
  const { href } = location;
  history.replaceState(null, '', '#next');
  navigated();
  history.replaceState(null, '', href);
  expect(window.scrollY, 'another URL').to.equal(0);
  const scrolled = lockAt(700);
  window.scrollTo({ left: 0, top: 20, behavior: 'instant' });
  scrolled();
  expect(window.scrollY, 'scrolled').to.equal(20);
});

/** Locks the page at this position, as a browser that loses the position by it if the test asks so. */
function lockAt(
  top: number,
  { losesPosition = false, isInPage = () => true }: { losesPosition?: boolean; isInPage?: () => boolean } = {},
): () => void {
  window.scrollTo({ left: 40, top, behavior: 'instant' });
  const { replaceSync } = CSSStyleSheet.prototype;
  if (losesPosition)
    CSSStyleSheet.prototype.replaceSync = function (text) {
      window.scrollTo({ left: 0, top: 0, behavior: 'instant' });
      replaceSync.call(this, text);
    };
  const release = lockScroll(isInPage);
  CSSStyleSheet.prototype.replaceSync = replaceSync;
  return release;
}
