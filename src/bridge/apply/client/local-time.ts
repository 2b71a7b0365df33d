/**
 * Shows times where the user is, with the name of the zone. The server writes them in UTC, because it does not know where that is;
 * `datetime` has the same moment for both.
 */
export function showLocalTimes(within: ParentNode = document): void {
  for (const element of within.querySelectorAll<HTMLTimeElement>('time[data-local]')) showLocally(element);
}

/** Changes the moment that elements show, such as the end of a link that was renewed. */
export function setTimes(selector: string, isoDateTime: string): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>(selector)) {
    element.dateTime = isoDateTime;
    showLocally(element);
  }
}

function showLocally(element: HTMLTimeElement): void {
  const date = new Date(element.dateTime);
  if (Number.isNaN(date.getTime())) return;
  const language = `${document.documentElement.lang}-US`;
  element.textContent = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(date);
}
