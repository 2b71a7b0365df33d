/** Remembers what had the focus before the application opened, and gives it back. */
export interface FocusKeeper {
  remember(): void;
  /** Gives the focus back, or to the card's heading if what had it is gone. Leaves a focus alone that went elsewhere meanwhile. */
  restore(): void;
}

/** Creates the keeper of one element. */
export function createFocusKeeper(host: HTMLElement): FocusKeeper {
  let before: HTMLElement | undefined;
  return {
    remember() {
      before = activeElement(document);
    },
    restore() {
      const current = activeElement(document);
      const isLost = !current || current === document.body || host.shadowRoot?.contains(current) === true;
      // Nothing had the focus: the page opened the application by itself, and nothing is to be given back.
      if (!isLost || !before || before === document.body) return;
      const heading = host.shadowRoot?.querySelector<HTMLElement>('h2[tabindex], .card button');
      if (before.isConnected && before !== host) before.focus();
      else heading?.focus();
      before = undefined;
    },
  };
}

function activeElement(root: Document | ShadowRoot): HTMLElement | undefined {
  const { activeElement: active } = root;
  return active?.shadowRoot?.activeElement
    ? activeElement(active.shadowRoot)
    : ((active as HTMLElement | null) ?? undefined);
}
