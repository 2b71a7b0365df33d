/**
 * Shows times in the user's time zone, with its name. The server writes them in UTC, because it
 * does not know the zone; `datetime` holds the time for both.
 */
export function showLocalTimes(within: ParentNode = document): void {
  for (const element of within.querySelectorAll<HTMLTimeElement>('time[data-local]')) showLocally(element);
}

/** Changes the time that elements show, such as the expiry of a new link. */
export function setTimes(selector: string, isoDateTime: string): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>(selector)) {
    element.dateTime = isoDateTime;
    showLocally(element);
  }
}

function showLocally(element: HTMLTimeElement): void {
  const date = new Date(element.dateTime);
  if (Number.isNaN(date.getTime())) return;
  // Not `lang` of the document, which page translators change to tags that are not valid here.
  const language = `${document.body.dataset['language'] ?? 'en'}-US`;
  element.textContent = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(date);
}
