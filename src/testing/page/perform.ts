import type { Snapshot } from '../../channel/index.js';
import { connectHostedPage } from '../../hosted/index.js';
import { actionPath, type PageScript, returnAddress, snapshotAt, submittedSnapshot } from '../page-script.js';

/** Goes through the steps when the user presses the buttons, as a hosted page does. */
export function perform(script: PageScript): void {
  const { scenario, applicationId, states, asking, returnUrl } = script;
  let { snapshot } = script;
  const page = connectHostedPage({
    allowedOrigins: script.allowedOrigins,
    snapshot,
    onConfigure: ({ theme, mode }) => Object.assign(document.documentElement.dataset, { theme, mode }),
    navigateBack() {
      const hasStepBefore = snapshot.index > 1 && snapshot.step !== 'submitted';
      if (hasStepBefore) goTo(snapshotAt(snapshot.index - 1));
      return hasStepBefore;
    },
  });
  const form = document.querySelector('form');
  const leaving = document.querySelector('[name=leave]');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    goToNextStep();
  });
  leaving?.addEventListener('click', leave);
  // The buttons are disabled until here, because a press would have submitted the form without this
  // script.
  for (const button of document.querySelectorAll('button')) button.disabled = false;
  show();

  function goToNextStep(): void {
    if (asking !== undefined) submit();
    else if (scenario === 'expired') expire();
    else if (snapshot.index === snapshot.count) submit();
    else goTo({ ...snapshotAt(snapshot.index + 1), savedAt: new Date().toISOString() });
  }

  function goTo(next: Snapshot): void {
    snapshot = next;
    page.update(snapshot);
    save();
    show();
  }

  function submit(): void {
    const [first = ''] = states;
    const isBlocked = scenario === 'blocked' && asking === undefined;
    snapshot = submittedSnapshot(states, isBlocked ? first : undefined);
    save();
    page.submitted(snapshot);
    if (isBlocked) {
      page.requiresAction({ state: first, actionUrl: new URL(actionPath(first, applicationId), location.href).href });
    }
    show();
  }

  /**
   * Reports the expiry to the element, or sends the user back where no element can renew the link.
   */
  function expire(): void {
    if (page.connected || returnUrl === undefined) page.error({ code: 'session_expired', recoverable: true });
    else location.assign(returnAddress(returnUrl, 'expired'));
  }

  /**
   * Saves on the page's own server. The user does not wait for it; `keepalive` sends it after the
   * page is gone, too.
   */
  function save(): void {
    void fetch(`/${scenario}/${applicationId}`, { method: 'POST', body: JSON.stringify(snapshot), keepalive: true });
  }

  function leave(): void {
    const isSubmitted = snapshot.step === 'submitted';
    if (returnUrl === undefined) page.requestClose(isSubmitted ? 'done' : 'button');
    else location.assign(returnAddress(returnUrl, isSubmitted ? 'submitted' : 'cancelled'));
  }

  function show(): void {
    const { step, index, count } = snapshot;
    const isSubmitted = step === 'submitted';
    const line = isSubmitted ? 'Application submitted' : `Step ${index} of ${count}: ${step}`;
    document.querySelector('#step')?.replaceChildren(asking && !isSubmitted ? `${asking} asks for more` : line);
    leaving?.replaceChildren(isSubmitted ? 'Done' : 'Leave');
    form?.toggleAttribute('hidden', isSubmitted);
    form?.reset();
  }
}
