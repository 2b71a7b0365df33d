// What the element tells the partner's page, and whatever goes wrong in it, from the first moment
// on. Assigned so that their types stay those that the journeys declare.
Object.assign(globalThis, { toldInJourney: [], problemsInJourney: [] });
const names = [
  'statechange',
  'ready',
  'progress',
  'modechange',
  'blocked',
  'complete',
  'close',
  'error',
  'messagerejected',
];
for (const name of names)
  document.addEventListener(`licensing-${name}`, (event) =>
    globalThis.toldInJourney.push(JSON.parse(JSON.stringify({ ...event, name }))),
  );
addEventListener('error', ({ message }) => globalThis.problemsInJourney.push(message));
addEventListener('unhandledrejection', ({ reason }) => globalThis.problemsInJourney.push(String(reason)));
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  globalThis.problemsInJourney.push(`${effectiveDirective} blocked ${blockedURI}`),
);
