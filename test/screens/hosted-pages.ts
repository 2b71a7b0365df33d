import type { Page } from 'playwright-core';
import type { Language, Session } from '../../src/contract/index.js';
import type { Camera } from './camera.js';
import { answerAll, fill, fillTopic, goTo, leaveFor, placeOf, send, tickAll, typed } from './hosted-applicant.js';
import { askedTexts } from './status-answers.js';
import type { Studio } from './studio.js';

const decliningCard = '4000 0000 0000 0002';
/** A whole PNG of one pixel. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * Every page of the hosted application in a separate tab, from "what you'll need" to the receipt.
 */
export async function shootHostedPages(studio: Studio, camera: Camera, language: Language): Promise<void> {
  const page = await studio.openPage();
  const shoot = async (subject: string) => {
    if (camera.wants(subject, language)) await camera.shoot(page, subject, { language, isWhole: true });
  };
  const open = (session: Session) => page.goto(`${session.applicationUrl}?lang=${language}`);

  const userId = `usr_hosted_${language}`;
  const session = await studio.createSession({ userId });
  await open(session);
  await shoot('start');
  await page.goto(addressOf(session, 'states', language));
  await shoot('states');
  for (const box of await page.locator('input[name=states]').all()) await box.uncheck();
  await send(page);
  await shoot('states-errors');
  await page.goto(addressOf(session, 'start', language));
  await goTo(page, 'profile');
  await shoot('profile');
  await send(page);
  await shoot('profile-errors');
  await goTo(page, 'profile/home');
  await fillTopic(page, 'profile/home');
  await fill(page, { zip: '90001' });
  await send(page);
  await shoot('home-doubt');
  await goTo(page, 'profile/contact');
  await fillTopic(page, 'profile/contact');
  await fill(page, { businessEmail: '' });
  await send(page);
  await shoot('contact-errors');
  await goTo(page, 'identity');
  await shoot('identity');
  await fill(page, { ssn: '900-11' });
  await page.click('.back');
  await shoot('identity-leaving');
  await page.click('#leaving button');
  await fill(page, { ssn: '900-11' });
  await send(page);
  await shoot('identity-errors');
  await goTo(page, 'background');
  await shootBackground(page, shoot);
  await leaveFor(page, '.back');
  await shoot('background-answered');
  await page.goto(addressOf(session, 'background/documents', language));
  await shootDocuments(page, shoot);
  await goTo(page, 'disclosures');
  await shoot('disclosures');
  await send(page);
  await shoot('disclosures-errors');
  await goTo(page, 'review');
  await shoot('review');
  await send(page);
  await shoot('review-errors');
  await fill(page, { ssnLastFour: '0004' });
  await Promise.all([page.waitForEvent('domcontentloaded'), page.click('button[name=show]')]);
  await shoot('review-answers');
  await page.goto(`${addressOf(session, 'identity', language)}&change`);
  await shoot('identity-provided');
  await page.goto(addressOf(session, 'review', language));
  await goTo(page, 'payment');
  await shoot('payment');
  await send(page);
  await shoot('payment-errors');
  await fill(page, typed.card(decliningCard));
  await send(page);
  await shoot('payment-declined');
  await shootPendingPayment(studio, page, camera, { subject: 'payment-pending', language });
  const { applicationId } = session;
  await studio.bridge.call('POST', `/v1/test_helpers/applications/${applicationId}/states/TX`, {
    body: { status: 'approved' },
  });
  await studio.ask(session, 'CA', askedTexts[language]);
  await page.reload();
  await shoot('receipt');
  await shootAction(page, shoot);
  await shootEarlierAnswers(studio, page, shoot, { userId, language });
  await shootLimits(studio, page, shoot, language);
  await shootBilledReview(studio, page, shoot, language);
  await shootLinesDoubt(studio, page, shoot, language);
  await shootDeadEnds(studio, page, shoot, { session, language });
  await page.context().close();
}

/** Takes the whole page under a name. */
type Shoot = (subject: string) => Promise<void>;

async function shootBackground(page: Page, shoot: Shoot): Promise<void> {
  await shoot('background');
  await send(page);
  await shoot('background-errors');
  await page.locator('input[type=radio][value=yes]').first().check();
  await shoot('background-follow-up');
  const first = await placeOf(page);
  while ((await placeOf(page)) === first) {
    await answerAll(page, 'no');
    await send(page);
  }
}

async function shootDocuments(page: Page, shoot: Shoot): Promise<void> {
  await shoot('documents');
  await page.click('form[data-upload] button');
  await page.locator('.upload-status.error').waitFor();
  await shoot('documents-errors');
  await page.setInputFiles('#file', { name: 'letter.png', mimeType: 'image/png', buffer: onePixel });
  await page.selectOption('#subject', 'other');
  await page.click('form[data-upload] button');
  await page.locator('.documents li').waitFor();
  await shoot('documents-added');
  await send(page);
}

/** Variable products without life, which Kentucky and Massachusetts do not grant. */
async function shootLinesDoubt(studio: Studio, page: Page, shoot: Shoot, language: Language): Promise<void> {
  const session = await studio.createSession({ userId: `usr_lines_${language}`, states: ['KY', 'MA'] });
  await page.goto(`${session.applicationUrl}?lang=${language}`);
  await goTo(page, 'profile/residency');
  await fillTopic(page, 'profile/residency');
  await page.check('#homeLicense-none');
  await send(page);
  await page.check('#lines-variable');
  await send(page);
  await shoot('lines-doubt');
}

/** A second tab while the processor is working. */
async function shootPendingPayment(
  studio: Studio,
  page: Page,
  camera: Camera,
  { subject, language }: { subject: string; language: Language },
): Promise<void> {
  const address = page.url();
  const second = await page.context().newPage();
  await studio.whilePaying(async (asked) => {
    await fill(page, typed.card('4242 4242 4242 4242'));
    await page.locator('form button[type=submit]').first().click({ noWaitAfter: true });
    await asked;
    await second.goto(address);
    // The page polls by itself, and must not change while its picture is taken.
    await second.route(address, () => undefined);
    await camera.shoot(second, subject, { language, isWhole: true });
  });
  await page.waitForURL(/receipt/);
  await second.close();
}

async function shootAction(page: Page, shoot: Shoot): Promise<void> {
  await leaveFor(page, '.state-action a');
  await shoot('action');
  await send(page);
  await shoot('action-errors');
  await fill(page, { answer: 'The documents are on their way.' });
  await tickAll(page);
  await send(page);
  await shoot('action-sent');
}

/** A second application of the same user. */
async function shootEarlierAnswers(
  studio: Studio,
  page: Page,
  shoot: Shoot,
  { userId, language }: { userId: string; language: Language },
): Promise<void> {
  const { applicationUrl } = await studio.createSession({ userId });
  await page.goto(`${applicationUrl}?lang=${language}`);
  await goTo(page, 'identity');
  await shoot('identity-earlier');
  await fill(page, { ssnLastFour: '0004' });
  await send(page);
  await shootCode(studio, page, shoot);
  await shoot('background-earlier');
  await send(page);
  await shoot('background-earlier-errors');
}

/** The code by mail: empty, too early for another one, and right. */
async function shootCode(studio: Studio, page: Page, shoot: Shoot): Promise<void> {
  await shoot('code');
  await send(page);
  await shoot('code-errors');
  await leaveFor(page, '#another');
  await shoot('code-wait');
  await fill(page, { code: await studio.nextCode() });
  await send(page);
}

/**
 * Five declined cards, and another link to the same application, which asks for the last four
 * digits of the SSN, five times.
 */
async function shootLimits(studio: Studio, page: Page, shoot: Shoot, language: Language): Promise<void> {
  const userId = `usr_limits_${language}`;
  const open = async () => page.goto(`${(await studio.createSession({ userId })).applicationUrl}?lang=${language}`);
  await open();
  await goTo(page, 'payment');
  for (let tries = 1; tries <= 6; tries += 1) {
    await fill(page, typed.card(decliningCard));
    await send(page);
  }
  await shoot('payment-too-many-declines');
  await open();
  await shoot('identity-resumed');
  await send(page);
  await shoot('identity-resumed-errors');
  for (let tries = 1; tries <= 5; tries += 1) {
    await fill(page, { ssnLastFour: '1234' });
    await send(page);
    if (tries === 1) await shoot('identity-resumed-wrong');
  }
  await shoot('identity-reuse-ended');
}

async function shootBilledReview(studio: Studio, page: Page, shoot: Shoot, language: Language): Promise<void> {
  const states = ['TX', 'CA', 'NC', 'WV', 'DC'];
  const { applicationUrl } = await studio.createSession({ paymentMethod: 'partner_billing', states });
  await page.goto(`${applicationUrl}?lang=${language}`);
  await shoot('start-billed');
  await goTo(page, 'review');
  await shoot('review-billed');
}

function addressOf(session: Session, place: string, language: Language): string {
  return `${session.applicationUrl}/${place}?lang=${language}`;
}

/** The pages of users who cannot continue. */
async function shootDeadEnds(
  studio: Studio,
  page: Page,
  shoot: Shoot,
  { session, language }: { session: Session; language: Language },
): Promise<void> {
  await page.goto(`${new URL(session.applicationUrl).origin}/s/unknown?lang=${language}`);
  await shoot('unknown-link');
  const answered = page.waitForEvent('load');
  await page.evaluate(() => {
    const form = document.createElement('form');
    form.method = 'post';
    form.enctype = 'text/plain';
    document.body.append(form);
    form.submit();
  });
  await answered;
  await shoot('refused');
  const soon = await studio.createSession();
  await page.goto(`${soon.applicationUrl}?lang=${language}`);
  await goTo(page, 'profile');
  await shootBreakdown(studio, page, shoot);
  await studio.expireIn(soon, 90);
  await page.goto(`${soon.applicationUrl}?lang=${language}`);
  await page.locator('#notice:not([hidden])').waitFor();
  await shoot('expires-soon');
}

/** A failure of the service, for an opened page and for a sent form. */
async function shootBreakdown(studio: Studio, page: Page, shoot: Shoot): Promise<void> {
  await studio.whileBroken(async () => {
    await page.reload();
    await shoot('problem');
  });
  await page.reload();
  await fillTopic(page, 'profile/names');
  await studio.whileBroken(async () => {
    await page.click('form button[type=submit]:not([name])');
    // The page stays, with its input.
    await page.locator('#notice:not([hidden])').waitFor();
    await shoot('problem-sent');
  });
}
