// @ts-check
import { create } from './log.js';

/** @typedef {{ state: string, status: string }} StateStatus */

/** What a department can say from where it stands, as the bridge's transitions allow. */
const choices = /** @type {Record<string, { label: string, status: string, reason?: string }[]>} */ ({
  pending_review: [
    { label: 'Approve', status: 'approved' },
    { label: 'Ask for something', status: 'requires_action', reason: 'Please send a copy of your resident license.' },
    { label: 'Deny', status: 'denied' },
  ],
  requires_action: [
    { label: 'Back to review', status: 'pending_review' },
    { label: 'Deny', status: 'denied' },
  ],
});
const words = /** @type {Record<string, string>} */ ({
  pending_review: 'In review',
  requires_action: 'Action needed',
  approved: 'Approved, which is final',
  denied: 'Denied, which is final',
});

/**
 * Shows one department a state, each with what it can decide now.
 * @param {HTMLElement} desk
 * @param {HTMLElement} problem
 * @param {() => string | undefined} applicationId
 */
export function createDesk(desk, problem, applicationId) {
  /** @param {readonly StateStatus[]} states */
  function show(states) {
    const focused = document.activeElement?.closest('.department')?.id;
    // By name: what is decided here must not move away under the pointer.
    desk.replaceChildren(...states.toSorted((left, right) => left.state.localeCompare(right.state)).map(department));
    if (focused) document.getElementById(focused)?.focus();
  }

  /** @param {StateStatus} standing */
  function department({ state, status }) {
    const title = create('h3', state, create('span', words[status] ?? status));
    const buttons = create('div', ...(choices[status] ?? []).map((choice) => decideButton(state, choice)));
    buttons.className = 'choices';
    const box = create('section', title, buttons);
    box.className = 'department';
    box.id = `department-${state}`;
    box.tabIndex = -1;
    return box;
  }

  /**
   * @param {string} state
   * @param {{ label: string, status: string, reason?: string }} choice
   */
  function decideButton(state, { label, status, reason }) {
    const button = create('button', label);
    button.type = 'button';
    button.className = 'quiet';
    button.ariaLabel = `${label}, ${state}`;
    button.addEventListener('click', async () => {
      problem.textContent = '';
      const answer = await fetch('/demo/decisions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ applicationId: applicationId(), state, status, reason }),
      });
      if (!answer.ok) problem.textContent = await answer.text();
    });
    return button;
  }

  return { show };
}
