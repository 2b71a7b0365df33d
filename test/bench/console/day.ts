import type { Browser, Locator } from 'playwright-core';
import { createVisitor } from '../../bridge/apply/support/visitor.js';
import { operatorPassword } from '../../bridge/console/operator-rows.js';
import { receiptOf, type FilledConsole } from './filled-console.js';
import { openWindow, type CountedOperator, type Effort, type Wait } from './operator.js';

/** A task of the day, and what it took. */
export interface Task extends Effort {
  what: string;
}

/** A measured day. */
export interface Day {
  tasks: readonly Task[];
  waits: readonly Wait[];
  /** For each filing, the number of values for the form of the state. */
  valuesToCopy: readonly number[];
}

/** A filing that an operator has recorded. */
interface Filed {
  applicationId: string;
  state: string;
  receipt: string;
}

const filings = 20;
const answer = 'I completed the course in May.';

/** Runs the day of an operator. Another operator confirms what needs a second person. */
export async function runDay(browser: Browser, filled: FilledConsole): Promise<Day> {
  const [first, second] = [await openWindow(browser), await openWindow(browser)];
  const [ourName, otherName] = filled.operators;
  const [furtherFee = '', refunded = ''] = filled.paidReceipts;
  const tasks: Task[] = [];
  const filed: Filed[] = [];
  const valuesToCopy: number[] = [];
  async function perform(what: string, operator: CountedOperator, task: () => Promise<void>): Promise<void> {
    tasks.push({ what, ...(await operator.perform(task)) });
  }

  await perform('sign in', first, () => signIn(first, filled, ourName));
  await signIn(second, filled, otherName);
  await perform(`${filings} filings`, first, async () => {
    for (let count = 1; count <= filings; count += 1) {
      await (count === 1 ? openOldest(first) : first.follow(first.page.getByRole('link', { name: 'Next filing' })));
      const { values, ...of } = await fileShown(first, `REF-10000${String(count).padStart(2, '0')}`);
      valuesToCopy.push(values);
      filed.push({ ...of, receipt: await receiptOf(filled.service, of.applicationId) });
    }
  });
  // Of different applications.
  const [approved, denied, asked] = [filed[0], filed[4], filed[9]];
  if (!approved || !denied || !asked) throw new Error('Too few filings were recorded.');
  await perform('approval with a license', first, () => approve(first, approved));
  await perform('denial', first, () => deny(first, denied));
  await perform('correction, proposed', first, () => proposeCorrection(first, approved));
  await perform('correction, confirmed by another', second, () => confirm(second, /^Correction of/));
  await perform('further fee', first, () => askForFee(first, furtherFee));
  await forgetProofs(filled);
  await perform('refund, proposed', first, () => proposeRefund(first, refunded));
  await perform('refund, confirmed by another', second, () => confirm(second, /^Refund of/));
  await perform('request by a template', first, () => askByTemplate(first, asked, filled));
  await answerAsUser(filled, asked);
  await perform('answer of the user, read and filed', first, () => fileAnswer(first, asked));
  const waits = [...first.waits, ...second.waits];
  await Promise.all([first.close(), second.close()]);
  return { tasks, waits, valuesToCopy };
}

async function signIn(operator: CountedOperator, { service }: FilledConsole, name: string): Promise<void> {
  const { page } = operator;
  await operator.open(`${service.consoleUrl}/`);
  await operator.type(page.getByLabel('Name'), name);
  await operator.type(page.getByLabel('Password'), operatorPassword);
  await operator.follow(button(operator, 'Sign in'));
  await page.getByRole('heading', { name: 'Home' }).waitFor();
}

/** Opens the filing that has waited longest, from the queue on. */
async function openOldest(operator: CountedOperator): Promise<void> {
  const { page } = operator;
  await operator.follow(page.getByRole('navigation').getByRole('link', { name: 'Filing queue' }));
  await operator.follow(page.getByRole('table').getByRole('link').first());
}

/** Files what the page shows. */
async function fileShown(
  operator: CountedOperator,
  reference: string,
): Promise<Omit<Filed, 'receipt'> & { values: number }> {
  const { page } = operator;
  const [, , applicationId = '', state = ''] = new URL(page.url()).pathname.split('/');
  await operator.follow(button(operator, 'Claim it and show the fields'));
  const values = await page.getByRole('button', { name: /^Copy: / }).count();
  await operator.type(page.getByLabel('Reference of the state'), reference);
  await operator.follow(button(operator, 'Save the filing'));
  await saw(operator, 'The filing was saved.');
  return { applicationId, state, values };
}

async function approve(operator: CountedOperator, filing: Filed): Promise<void> {
  const { page } = operator;
  await openDecision(operator, filing);
  await operator.click(page.getByLabel('Approved. The license is issued.'));
  await operator.type(page.getByLabel('License number'), `${filing.state}-1000001`);
  await operator.type(page.getByLabel('Issued on'), '2026-03-31');
  await operator.type(page.getByLabel('Expires on'), '2028-03-31');
  await sendDecision(operator);
}

async function deny(operator: CountedOperator, filing: Filed): Promise<void> {
  const { page } = operator;
  await openDecision(operator, filing);
  await operator.click(page.getByLabel('Denied.'));
  await operator.type(page.getByLabel('Reason or request'), 'The fingerprints did not arrive in time.');
  await sendDecision(operator);
}

async function proposeCorrection(operator: CountedOperator, { receipt, state }: Filed): Promise<void> {
  const { page } = operator;
  await openApplication(operator, receipt);
  await operator.follow(linkOfState(operator, 'Correct this decision', state));
  await operator.click(page.getByLabel('Not decided.'));
  await operator.type(page.getByLabel('What was the mistake?'), 'It was the decision of another application.');
  await operator.follow(button(operator, 'Propose the correction'));
  await saw(operator, 'The proposal was saved.');
}

/** Confirms what the colleague has proposed, from the home page on. Refunds need a fresh proof. */
async function confirm(operator: CountedOperator, proposal: RegExp): Promise<void> {
  const { page } = operator;
  await operator.follow(page.getByRole('link', { name: 'Home' }));
  await operator.follow(page.getByRole('link', { name: proposal }));
  const proof = page.getByLabel('Your password');
  if (await proof.isVisible()) await operator.type(proof, operatorPassword);
  await operator.follow(button(operator, 'Confirm the proposal'));
  await saw(operator, /The decision was corrected|The refund was saved/);
}

async function askForFee(operator: CountedOperator, receipt: string): Promise<void> {
  const { page } = operator;
  await openApplication(operator, receipt);
  await operator.follow(page.getByRole('link', { name: /^Enter a decision/ }).first());
  await operator.click(page.getByLabel('It requests something from the user.'));
  await operator.type(page.getByLabel('Reason or request'), 'The state raised the fee this month.');
  await operator.type(page.getByLabel('Further fee, in dollars'), '45.00');
  await sendDecision(operator);
}

async function proposeRefund(operator: CountedOperator, receipt: string): Promise<void> {
  const { page } = operator;
  await openApplication(operator, receipt);
  await operator.follow(page.getByRole('link', { name: 'Refund', exact: true }));
  await operator.type(page.getByLabel('Amount in US dollars'), '12.50');
  await operator.type(page.getByLabel('Reason for the refund'), 'The department returned it');
  await operator.type(page.getByLabel('Your password'), operatorPassword);
  await operator.follow(button(operator, 'Propose the refund'));
  await saw(operator, 'The proposal was saved.');
}

async function askByTemplate(operator: CountedOperator, filing: Filed, { template }: FilledConsole): Promise<void> {
  await openDecision(operator, filing);
  await operator.follow(operator.page.getByRole('link', { name: template.name }));
  await sendDecision(operator);
}

/** Reads the answer, which comes first in the fields of the form, and records that it was sent. */
async function fileAnswer(operator: CountedOperator, { receipt, state }: Filed): Promise<void> {
  const { page } = operator;
  await openApplication(operator, receipt);
  await operator.follow(page.locator(`a[href^="/filings/"][href$="/${state}"]`));
  await operator.follow(button(operator, 'Claim it and show the fields'));
  await page.getByText(answer).waitFor();
  await operator.type(page.getByLabel('Reference of the state'), 'REF-2000001');
  await operator.follow(button(operator, 'Save the filing'));
  await saw(operator, 'The filing was saved.');
}

/** Finds an application by its receipt, which leads to it. */
async function openApplication(operator: CountedOperator, receipt: string): Promise<void> {
  const { page } = operator;
  await operator.type(page.getByRole('searchbox', { name: 'Search' }), receipt);
  await operator.follow(button(operator, 'Search'));
}

async function openDecision(operator: CountedOperator, { receipt, state }: Filed): Promise<void> {
  await openApplication(operator, receipt);
  await operator.follow(linkOfState(operator, 'Enter a decision', state));
}

async function sendDecision(operator: CountedOperator): Promise<void> {
  await operator.follow(button(operator, 'Enter the decision'));
  await saw(operator, 'The decision was saved.');
}

function button({ page }: CountedOperator, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

function linkOfState({ page }: CountedOperator, name: string, state: string): Locator {
  return page.getByRole('link', { name: new RegExp(`^${name}.*\\(${state}\\)$`) });
}

/** Fails unless the page says that the task is done. */
async function saw({ page }: CountedOperator, text: string | RegExp): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).waitFor();
}

/** Lets the last proof of each operator be longer ago than five minutes, as on most of a day. */
async function forgetProofs({ service }: FilledConsole): Promise<void> {
  await service.context.db
    .updateTable('operatorSession')
    .set({ provenAt: new Date(0) })
    .execute();
}

async function answerAsUser({ service }: FilledConsole, { applicationId, state }: Filed): Promise<void> {
  const read = await service.call('GET', `/v1/applications/${applicationId}`, { token: service.tokens.live });
  const { actionUrl = '' } = read.body.states.find((each) => each.state === state) ?? {};
  await createVisitor().post(actionUrl, { answer, confirm: 'yes' });
}
