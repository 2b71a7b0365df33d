import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { topicTexts } from '../../src/bridge/domain/applications/profile/texts/index.js';
import { topicIds } from '../../src/bridge/domain/applications/profile/topics.js';
import {
  completeProfile as completeVisitedProfile,
  createVisitor,
  type Fields,
} from '../bridge/apply/support/visitor.js';
import { fillByName } from '../support/fill-by-name.js';
import { averySample, steadyJob } from '../support/profile-forms.js';
import { aimAt, press } from './aim.js';
import type { Control, View } from './view.js';

/** The frame or page of the hosted application. */
export type HostedView = View;

/** The applicant's secret input, which must not reach the partner. */
export interface Secrets {
  ssn: string;
  /**
   * The explanation of the first question, which is answered with yes. Default: all are answered
   * with no.
   */
  explanation?: string;
  /** Additional input in the profile, by field name. */
  profile?: Record<string, string>;
  /**
   * The path of the court papers that both incidents of the first question require. Default: a small file.
   */
  courtPapers?: string;
}

/** The headings by step. */
export const headings = {
  profile: 'Your name',
  identity: 'Your Social Security number',
  documents: 'Documents',
  disclosures: 'Disclosures of your states',
  payment: 'Pay the fees',
  review: 'Check your answers and sign',
} as const;

const anyPapers = fileURLToPath(new URL('../support/court-papers.pdf', import.meta.url));

/** Waits for the page with this heading. */
export async function seeHeading(view: HostedView, name: string | RegExp): Promise<void> {
  await view.getByRole('heading', { level: 1, name }).waitFor();
}

/** Continues from "what you'll need" to the first step. */
export async function begin(view: HostedView): Promise<void> {
  await press(view, view.getByRole('button', { name: 'Start' }).or(view.getByRole('link', { name: 'Start' })));
  await seeHeading(view, headings.profile);
}

/**
 * Completes the profile: page by page with additional input, and otherwise by the same requests
 * without a browser, because most tests are not about these fourteen pages.
 */
export async function completeProfile(view: HostedView, { profile }: Partial<Secrets> = {}): Promise<void> {
  await seeHeading(view, headings.profile);
  if (profile === undefined) {
    const back = view.getByRole('link', { name: 'Back', exact: true });
    await press(view, back);
    await sendProfile(await view.locator('#own-link').innerText());
    // The earlier page leads to the profile again, and the next one to the current step.
    await press(view, view.getByRole('link', { name: /^(Start|Continue where)/ }));
    await seeHeading(view, headings.profile);
    await press(view, back);
    await press(view, view.getByRole('link', { name: /^Continue where/ }));
    await seeHeading(view, headings.identity);
    return;
  }
  for (;;) {
    const heading = await view.getByRole('heading', { level: 1 }).innerText();
    if (heading === headings.identity) return;
    const topic = topicIds.find((id) => heading.startsWith(topicTexts(id, 'en').title)) ?? '';
    if (topic === 'employment') await addJob(view, heading, { ...steadyJob, ...profile });
    else {
      await aimAt(view, onward(view));
      await fillByName(view, { ...averySample[topic], ...profile });
    }
    await goOn(view);
    await seeOther(view, heading);
  }
}

async function sendProfile(applicationUrl: string): Promise<void> {
  const visitor = createVisitor();
  const everything = Object.assign({}, ...Object.values(averySample)) as Fields;
  await completeVisitedProfile(visitor, await visitor.get(`${applicationUrl}/profile`), everything);
}

async function addJob(view: HostedView, heading: string, job: Record<string, string>): Promise<void> {
  await press(view, view.locator('#add'));
  await seeOther(view, heading);
  const saving = view.getByRole('button', { name: 'Save this entry' });
  await aimAt(view, saving);
  await fillByName(view, job);
  await press(view, saving);
  await seeHeading(view, heading);
}

/** Waits for the page after the one with this heading. */
async function seeOther(view: HostedView, heading: string): Promise<void> {
  await view.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor({ state: 'detached' });
}

/** Types the SSN and sends it. */
export async function completeIdentity(view: HostedView, { ssn }: Secrets): Promise<void> {
  await seeHeading(view, headings.identity);
  await view.getByLabel('Social Security number (SSN)').fill(ssn);
  await goOn(view);
  await view
    .getByText(/^Part 1 of/)
    .first()
    .waitFor();
}

/**
 * Answers every page of background questions with no, except for the first question with
 * {@link Secrets.explanation}.
 */
export async function completeBackground(view: HostedView, { explanation, courtPapers }: Secrets): Promise<void> {
  let mayExplain = explanation !== undefined;
  for (;;) {
    const heading = await view.getByRole('heading', { level: 1 }).innerText();
    if (heading === headings.disclosures) return;
    if (heading === headings.documents) {
      if (explanation !== undefined) await addCourtPapers(view, courtPapers);
      await goOn(view);
      await seeHeading(view, headings.disclosures);
      return;
    }
    const groups = view.locator('fieldset.question:not(.follow-up fieldset)');
    assert.ok((await groups.count()) > 0, `The page "${heading}" has no question`);
    await aimAt(view, onward(view));
    for (const group of await groups.all()) {
      if (mayExplain) {
        mayExplain = false;
        await group.getByLabel('Yes', { exact: true }).first().check();
        await fillDetails(group, explanation ?? '');
      } else {
        await group.getByLabel('No', { exact: true }).first().check();
      }
    }
    await goOn(view);
    await seeOther(view, heading);
  }
}

/**
 * Fills in the follow-ups of a "yes" to the first question and of another incident, with the text in
 * every text field.
 */
async function fillDetails(question: Control, words: string): Promise<void> {
  await fillIncident(question, ':not(.more *)', words);
  await question.getByText('Add another incident').first().click();
  await fillIncident(question.locator('.incident').first(), '', words);
}

async function fillIncident(box: Control, which: string, words: string): Promise<void> {
  await box.locator(`select[name$=".month"]${which}`).selectOption('3');
  await box.locator(`input[name$=".day"]${which}`).fill('27');
  await box.locator(`input[name$=".year"]${which}`).fill('2009');
  await box.locator(`select[name$=".caseStatus"]${which}`).selectOption('finished');
  const inWords = `:is(textarea, input[type=text]:not([name$=".day"], [name$=".year"]))${which}`;
  for (const field of await box.locator(inWords).all()) await field.fill(words);
}

/** Adds the papers of both incidents. */
async function addCourtPapers(view: HostedView, path: string = anyPapers): Promise<void> {
  const [name, buffer] = [basename(path), await readFile(path)];
  for (const count of [1, 2]) {
    await view.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer });
    await view.getByLabel('What is it for?').selectOption('felony/courtDocument');
    await view.getByLabel('Incident', { exact: true }).selectOption(String(count));
    await press(view, view.getByRole('button', { name: 'Add document' }));
    await view.locator(`.documents li:nth-child(${count})`).waitFor();
  }
}

/** Ticks every disclosure. */
export async function completeDisclosures(view: HostedView, next: string = headings.review): Promise<void> {
  await seeHeading(view, headings.disclosures);
  await aimAt(view, onward(view));
  for (const box of await view.getByRole('checkbox').all()) await box.check();
  await goOn(view);
  await seeHeading(view, next);
}

/** Pays with a card, without waiting for the processor. */
export async function pay(view: HostedView, cardNumber = '4242 4242 4242 4242'): Promise<void> {
  await seeHeading(view, headings.payment);
  await view.getByLabel('Name on card').fill('Avery Sample');
  await view.getByLabel('Card number').fill(cardNumber);
  await view.getByLabel('Month').fill('12');
  await view.getByLabel('Year').fill('39');
  await view.getByLabel('Security code').fill('123');
  await press(view, view.getByRole('button', { name: /^Pay / }));
}

/** Signs, which also submits an application that the partner pays. */
export async function sign(view: HostedView): Promise<void> {
  const signing = view.getByRole('button', { name: /^Sign and / });
  await seeHeading(view, headings.review);
  await aimAt(view, signing);
  for (const box of await view.getByRole('checkbox').all()) await box.check();
  await view.getByLabel('Type your full name').fill('Avery Sample');
  await press(view, signing);
}

/** All steps from the first page to the submission. */
export async function applyWholly(view: HostedView, secrets: Secrets): Promise<void> {
  await begin(view);
  await completeProfile(view, secrets);
  await completeIdentity(view, secrets);
  await completeBackground(view, secrets);
  await completeDisclosures(view);
  await sign(view);
  await pay(view);
}

function onward(view: HostedView): Control {
  return view.getByRole('button', { name: 'Continue' });
}

async function goOn(view: HostedView): Promise<void> {
  await press(view, onward(view));
}
