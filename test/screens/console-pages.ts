import type { Page } from 'playwright-core';
import type { Language } from '../../src/contract/index.js';
import { createOperator } from '../../src/bridge/domain/operators/operators.js';
import type { Camera } from './camera.js';
import { goTo } from './hosted-applicant.js';
import type { Studio } from './studio.js';

const operator = { name: 'Dana Operator', password: 'a sentence for the pictures' };
const pages = ['', 'applications', 'filings', 'payments', 'webhooks', 'audit'];

/** The pages of the console, in its one language, with one application. */
export async function shootConsolePages(studio: Studio, camera: Camera, language: Language): Promise<void> {
  if (language !== 'en') return;
  const page = await studio.openPage();
  const shoot = (subject: string) => camera.shoot(page, subject, { isWhole: true });
  const { consoleUrl = '', context } = studio.bridge;
  await createOperator(context, { ...operator, role: 'file', scope: 'all', hasTotp: false });
  const { applicationUrl, applicationId } = await studio.createSession();
  await page.goto(applicationUrl);
  await goTo(page, 'receipt');

  await page.goto(`${consoleUrl}/`);
  await shoot('sign-in');
  await signIn(page);
  for (const path of pages) {
    await page.goto(`${consoleUrl}/${path}`);
    await shoot(path || 'home');
  }
  await page.goto(`${consoleUrl}/applications/${applicationId}`);
  await shoot('application');
  await page.context().close();
}

async function signIn(page: Page): Promise<void> {
  await page.fill('input[name=name]', operator.name);
  await page.fill('input[name=password]', operator.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.includes('sign-in'));
}
