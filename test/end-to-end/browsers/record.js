// Records the events and errors of the partner's page from its start. Assigned so that the types
// stay those of the journeys.
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
