import type { Page } from 'playwright-core';
import type { Language } from '../../src/contract/index.js';
import { decideState } from '../../src/bridge/domain/filings/departments.js';
import { markFiled } from '../../src/bridge/domain/filings/filings.js';
import { createOperator } from '../../src/bridge/domain/operators/operators.js';
import { placeAt } from '../bridge/apply/support/shortcuts.js';
import type { Camera } from './camera.js';
import { goTo } from './hosted-applicant.js';
import type { Studio } from './studio.js';

const operator = { name: 'Dana Operator', password: 'a sentence for the pictures' };
const pages = ['', 'applications', 'filings', 'payments', 'webhooks', 'audit'];

/** The pages of the console, in its one language, with two applications. */
export async function shootConsolePages(studio: Studio, camera: Camera, language: Language): Promise<void> {
  if (language !== 'en') return;
  const page = await studio.openPage();
  const shoot = (subject: string) => camera.shoot(page, subject, { isWhole: true });
  const { consoleUrl = '', context } = studio.bridge;
  const created = await createOperator(context, { ...operator, role: 'supervise', scope: 'all', hasTotp: false });
  const { applicationUrl, applicationId } = await studio.createSession();
  await page.goto(applicationUrl);
  await goTo(page, 'receipt');
  const billed = { paymentMethod: 'partner_billing', returnUrl: 'https://agency.example/' };
  const live = await studio.createSession(billed, 'live');
  await placeAt(studio.bridge, live, 'receipt', { ssn: '219-46-0004' });

  await page.goto(`${consoleUrl}/`);
  await shoot('sign-in');
  await signIn(page);
  for (const path of pages) {
    await page.goto(`${consoleUrl}/${path}`);
    await shoot(path || 'home');
  }
  await page.goto(`${consoleUrl}/applications/${applicationId}`);
  await shoot('application');
  await shootFiling(page, `${consoleUrl}/filings/${live.applicationId}/TX`, shoot);
  const surplus = await studio.createSession({ ...billed, licenseType: 'surplus_lines', states: ['KY'] }, 'live');
  await placeAt(studio.bridge, surplus, 'receipt', { ssn: '219-46-0005' });
  await page.goto(`${consoleUrl}/filings/${surplus.applicationId}/KY`);
  await page.getByRole('button', { name: 'Claim it and show the fields', exact: true }).click();
  await shoot('filing-fields-rule');
  const about = {
    applicationId: live.applicationId,
    state: 'TX',
    actor: `operator:${created?.operator.operatorId ?? ''}`,
  } as const;
  await markFiled(context, { ...about, reference: 'TX-1000001' });
  const state = `${consoleUrl}/applications/${live.applicationId}/states/TX`;
  await page.goto(state);
  await shoot('decision');
  await decideState(context, { ...about, status: 'denied', reason: 'The fingerprints did not arrive in time.' });
  await page.goto(`${state}/correction`);
  await shoot('correction');
  await page.goto(`${consoleUrl}/templates`);
  await shoot('templates');
  await page.context().close();
}

/** One filing, from its claim on. */
async function shootFiling(page: Page, url: string, shoot: (subject: string) => Promise<void>): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto(url);
  await press('Claim it');
  await shoot('filing');
  await press('Show the fields of the form');
  await page.getByRole('button', { name: /^Copy/ }).first().click();
  await shoot('filing-fields');
}

async function signIn(page: Page): Promise<void> {
  await page.fill('input[name=name]', operator.name);
  await page.fill('input[name=password]', operator.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.includes('sign-in'));
}
