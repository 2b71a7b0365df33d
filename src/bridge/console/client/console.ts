/*
 * The script of the console, which works without it: it offers a button to copy each value of a form.
 */
const list = document.querySelector<HTMLElement>('#copy');
if (list) offerCopying(list);

function offerCopying(values: HTMLElement): void {
  const status = values.querySelector('[role=status]');
  const { copied = '', notCopied = '' } = values.dataset;
  for (const button of values.querySelectorAll('button')) {
    const row = button.closest('div');
    const value = row?.querySelector('.value');
    if (!row || !value) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(value.textContent).then(
        () => {
          // It stays, so that operators see how far they are in the form of the state.
          row.dataset['copied'] = '';
          say(copied);
        },
        () => {
          // Such as a browser whose policy forbids it: the user copies what is selected.
          getSelection()?.selectAllChildren(value);
          say(notCopied);
        },
      );
    });
    function say(words: string): void {
      const label = row?.querySelector('dt')?.textContent ?? '';
      if (status) status.textContent = `${label}: ${words}`;
    }
  }
}
