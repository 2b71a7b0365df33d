/*
 * Sends documents without leaving the page: with progress, and again when the connection is lost. Each form has an id of its upload, by
 * which the server knows one that comes again. Without script the form is posted as any other.
 */

/** Milliseconds before each further try. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000];

/** Takes over the forms that add documents, also those that a replaced section brings. */
export function uploadInPlace(): void {
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target as HTMLFormElement;
      if (form.dataset['upload'] === undefined) return;
      event.preventDefault();
      // Before the listeners of the form itself, which would send it as a page.
      event.stopImmediatePropagation();
      if (form.ariaBusy !== 'true') void upload(form);
    },
    { capture: true },
  );
}

async function upload(form: HTMLFormElement): Promise<void> {
  const { maxBytes = '0', tooLarge = '', empty = '', saved = '', failed = '' } = form.dataset;
  const file = form.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0];
  if (file === undefined || file.size === 0) return say(form, empty, true);
  if (file.size > Number(maxBytes)) return say(form, tooLarge, true);
  form.ariaBusy = 'true';
  const bar = form.querySelector('progress');
  if (bar) bar.hidden = false;
  say(form, form.dataset['working'] ?? '');
  const answer = await sendWithRetries(form, new FormData(form), (percent) => {
    if (bar) bar.value = percent;
  });
  form.ariaBusy = null;
  if (bar) bar.hidden = true;
  if (answer?.status === 200) {
    await replaceSection();
    const next = document.querySelector<HTMLFormElement>('form[data-upload]');
    if (next) say(next, saved);
    next?.querySelector<HTMLInputElement>('input[type=file]')?.focus();
  } else if (answer?.status === 410) location.reload();
  else say(form, answer?.problem ?? failed, true);
}

interface Answer {
  status: number;
  problem: string | undefined;
}

async function sendWithRetries(
  form: HTMLFormElement,
  body: FormData,
  onProgress: (percent: number) => void,
): Promise<Answer | undefined> {
  for (const delayMs of [...retryDelaysMs, undefined]) {
    const answer = await send(form.action, body, onProgress);
    const mayTryAgain = answer === undefined || answer.status === 429 || answer.status >= 500;
    if (!mayTryAgain) return answer;
    if (delayMs === undefined) return undefined;
    say(form, form.dataset['retrying'] ?? '');
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
  return undefined;
}

/** Not `fetch`, which does not tell how much it has sent. */
function send(url: string, body: FormData, onProgress: (percent: number) => void): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress((100 * loaded) / total);
    });
    request.addEventListener('load', () => {
      resolve({ status: request.status, problem: problemIn(request.responseText) });
    });
    request.addEventListener('error', () => {
      resolve(undefined);
    });
    request.send(body);
  });
}

function problemIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { problem?: string }).problem;
  } catch {
    return undefined;
  }
}

/** Only the list and its form: what was typed elsewhere on the page stays. */
async function replaceSection(): Promise<void> {
  const page = await fetch(location.href, { cache: 'no-store' })
    .then((response) => response.text())
    .catch(() => undefined);
  if (page === undefined) {
    location.reload();
    return;
  }
  const fresh = new DOMParser().parseFromString(page, 'text/html').querySelector('#documents');
  if (fresh) document.querySelector('#documents')?.replaceWith(document.importNode(fresh, true));
}

function say(form: HTMLFormElement, text: string, isError = false): void {
  const status = form.querySelector('.upload-status');
  if (!status) return;
  status.textContent = text;
  status.classList.toggle('error', isError);
}
