import { expect } from '@open-wc/testing';
import { lockScroll } from '../../src/element/container/modal-dialog.js';

describe('lockScroll()', () => {
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

  it('lockScroll() restores the scroll position exactly, without smooth scrolling', () => {
    root.style.setProperty('scroll-behavior', 'smooth');
    window.scrollTo({ left: 40, top: 700, behavior: 'instant' });
    const release = lockScroll();
    window.scrollTo({ left: 0, top: 0, behavior: 'instant' });
    release();
    expect([window.scrollX, window.scrollY]).to.deep.equal([40, 700]);
  });
});
