/*
 * Uploads documents without leaving the page: with progress, and with retries when the connection
 * is lost. Each form has an upload id, by which the server recognizes a retry. Without script the
 * form is posted like any other.
 */

/** The delays before the retries, in milliseconds. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000];

/** The upload in progress. Resolves with whether the server has stored the document. */
let adding: Promise<boolean> | undefined;

/** Handles the forms that add documents, including those of a replaced section. */
export function uploadInPlace(): void {
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target as HTMLFormElement;
      if (form.dataset['upload'] !== undefined) void add(form);
      else if (isFileWaiting() && !form.closest('#documents')) void addBefore(form, event.submitter);
      else return;
      event.preventDefault();
      // In the capture phase, before the listeners of the form, which would post it as a page.
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

function isFileWaiting(): boolean {
  const file = document.querySelector<HTMLInputElement>('form[data-upload] input[type=file]');
  return adding !== undefined || (file?.files?.length ?? 0) > 0;
}

/** A chosen file that was not added would be lost with the page, so it is uploaded first. */
async function addBefore(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const upload = document.querySelector<HTMLFormElement>('form[data-upload]');
  if (upload && (await add(upload))) form.requestSubmit(submitter);
  else upload?.scrollIntoView({ block: 'center' });
}

function add(form: HTMLFormElement): Promise<boolean> {
  adding ??= upload(form).finally(() => {
    adding = undefined;
  });
  return adding;
}

async function upload(form: HTMLFormElement): Promise<boolean> {
  const { maxBytes = '0', tooLarge = '', empty = '', saved = '', failed = '' } = form.dataset;
  const input = form.querySelector<HTMLInputElement>('input[type=file]');
  const file = input?.files?.[0];
  if (!input || file === undefined || file.size === 0) return refuse(form, empty, input);
  if (file.size > Number(maxBytes)) return refuse(form, tooLarge, input);
  form.ariaBusy = 'true';
  const bar = form.querySelector('progress');
  if (bar) bar.hidden = false;
  say(form, form.dataset['working'] ?? '');
  const answer = await sendWithRetries(form, new FormData(form), (percent) => {
    if (bar) bar.value = percent;
  });
  form.ariaBusy = null;
  if (bar) bar.hidden = true;
  if (answer?.status === 410) location.reload();
  if (answer?.status !== 200) return refuse(form, answer?.problem ?? failed, answer?.field === 'file' ? input : null);
  await replaceSection();
  const next = document.querySelector<HTMLFormElement>('form[data-upload]');
  if (next) say(next, saved);
  next?.querySelector<HTMLInputElement>('input[type=file]')?.focus();
  return true;
}

/**
 * Shows why a file was not added. A file that can never be added is removed from the field, so that
 * the page can be sent without it.
 */
function refuse(form: HTMLFormElement, problem: string, input: HTMLInputElement | null): false {
  if (input) input.value = '';
  say(form, problem, true);
  return false;
}

interface Answer {
  status: number;
  problem?: string;
  /** The field with the problem: `file` or `subject`. */
  field?: string;
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

/** Not `fetch`, which does not report upload progress. */
function send(url: string, body: FormData, onProgress: (percent: number) => void): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress((100 * loaded) / total);
    });
    request.addEventListener('load', () => {
      resolve({ ...readProblem(request.responseText), status: request.status });
    });
    request.addEventListener('error', () => {
      resolve(undefined);
    });
    request.send(body);
  });
}

function readProblem(text: string): Partial<Answer> {
  try {
    return JSON.parse(text) as Partial<Answer>;
  } catch {
    return {};
  }
}

/** Only the list and its form, so that other input on the page stays. */
async function replaceSection(): Promise<void> {
  const page = await fetch(location.href, { cache: 'no-store' })
    .then((response) => response.text())
    .catch(() => undefined);
  if (page === undefined) {
    location.reload();
    return;
  }
  const fresh = new DOMParser().parseFromString(page, 'text/html');
  // With the token of the list, without which the server takes the list as changed by another.
  for (const part of ['#documents', 'input[name=shown]']) {
    const replacement = fresh.querySelector(part);
    if (replacement) document.querySelector(part)?.replaceWith(document.importNode(replacement, true));
  }
}

function say(form: HTMLFormElement, text: string, isError = false): void {
  const status = form.querySelector('.upload-status');
  if (!status) return;
  status.textContent = text;
  status.classList.toggle('error', isError);
}
