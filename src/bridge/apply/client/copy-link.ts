/**
 * Adds a button that copies the link of the application. Without script, the user copies the shown
 * link.
 */
export function offerCopying(): void {
  const button = document.querySelector<HTMLButtonElement>('#copy-link');
  const link = document.querySelector<HTMLAnchorElement>('#own-link');
  const status = document.querySelector<HTMLElement>('#copied');
  if (!button || !link || !status) return;
  button.hidden = false;
  button.addEventListener('click', () => void copy());

  async function copy(): Promise<void> {
    if (!button || !link || !status) return;
    const { copied = '', notCopied = '' } = button.dataset;
    status.textContent = (await write(link)) ? copied : notCopied;
  }
}

/**
 * A frame of another site may not use the Clipboard API, but may copy the selection after a click.
 */
async function write(link: HTMLAnchorElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link.href);
    return true;
  } catch {
    getSelection()?.selectAllChildren(link);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way in a frame
    return document.execCommand('copy');
  }
}
