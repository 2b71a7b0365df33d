// @ts-check
// Offers each state's possible decisions, as the bridge allows them from the current status.
const departments = /** @type {HTMLElement} */ (document.querySelector('#departments'));
const apply = /** @type {HTMLElementTagNameMap['licensing-apply']} */ (document.querySelector('licensing-apply'));

const approve = { label: 'Approve', status: 'approved' };
const ask = { label: 'Ask', status: 'requires_action', reason: 'Please send a copy of your resident license.' };
const deny = { label: 'Deny', status: 'denied' };
const review = { label: 'Review again', status: 'pending_review' };
const decisions = /** @type {Record<string, typeof approve[]>} */ ({
  pending_review: [approve, ask, deny],
  requires_action: [review, deny],
});

apply.addEventListener('licensing-status', ({ states }) => {
  const sorted = states.toSorted((left, right) => left.state.localeCompare(right.state));
  departments.replaceChildren(...sorted.map(describe));
});

/** @param {{ state: string, status: string }} application */
function describe({ state, status }) {
  const paragraph = document.createElement('p');
  const standing = document.createElement('span');
  standing.textContent = `${state} ${status}`;
  paragraph.append(standing, ...(decisions[status] ?? []).map((decision) => button(state, decision)));
  return paragraph;
}

/**
 * @param {string} state
 * @param {typeof approve} decision
 */
function button(state, { label, ...decision }) {
  const button = document.createElement('button');
  button.textContent = label;
  button.ariaLabel = `${label} ${state}`;
  button.addEventListener('click', () =>
    fetch('/developer/decisions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ applicationId: apply.snapshot.applicationId, state, ...decision }),
    }),
  );
  return button;
}
