/** Saves the focus before the application opens, and restores it. */
export interface FocusKeeper {
  save(): void;
  /**
   * Moves the focus back, or to the heading of the card if its element is gone. Does nothing when
   * the focus has moved elsewhere in the meantime.
   */
  restore(): void;
}

/** Creates the focus keeper of one element. */
export function createFocusKeeper(host: HTMLElement): FocusKeeper {
  let before: HTMLElement | undefined;
  return {
    save() {
      before = deepActiveElement(document);
    },
    restore() {
      const current = deepActiveElement(document);
      const isLost = !current || current === document.body || host.shadowRoot?.contains(current) === true;
      // The page opened the application without the user: there is no focus to restore.
      if (!isLost || !before || before === document.body) return;
      const heading = host.shadowRoot?.querySelector<HTMLElement>('h2[tabindex], .card button');
      if (before.isConnected && before !== host) before.focus();
      else heading?.focus();
      before = undefined;
    },
  };
}

function deepActiveElement(root: Document | ShadowRoot): HTMLElement | undefined {
  const { activeElement } = root;
  if (activeElement?.shadowRoot?.activeElement) return deepActiveElement(activeElement.shadowRoot);
  return activeElement instanceof HTMLElement ? activeElement : undefined;
}
