/** Lets a form go once. The server refuses a second submission too; this spares the user the doubt. */
export function submitOnce(): void {
  for (const form of document.querySelectorAll('form')) {
    let isUnderWay = false;
    form.addEventListener('submit', (event) => {
      if (event.defaultPrevented) return;
      if (isUnderWay) {
        event.preventDefault();
        return;
      }
      isUnderWay = true;
      const button = event.submitter instanceof HTMLButtonElement ? event.submitter : form.querySelector('button');
      if (!button) return;
      const label = button.textContent;
      // Not `disabled`: that would drop the button's own value from the post and throw the focus away.
      button.setAttribute('aria-disabled', 'true');
      button.textContent = form.dataset['working'] ?? label;
      addEventListener(
        'pageshow',
        () => {
          // Back from the back/forward cache: the form may go again.
          isUnderWay = false;
          button.removeAttribute('aria-disabled');
          button.textContent = label;
        },
        { once: true },
      );
    });
  }
}
