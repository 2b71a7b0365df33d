import type { Page } from 'playwright-core';
import { loadApplyAssets } from '../../src/bridge/apply/index.js';
import { createOperator } from '../../src/bridge/domain/operators/operators.js';
import { manualFiling } from '../../src/bridge/ports/filing-gateway.js';
import type { Language } from '../../src/contract/index.js';
import { until } from '../bridge/until.js';
import { startBridge } from '../support/bridge.js';
import { createProcessorAdapter } from '../support/processor-adapter.js';
import { processorCards, startProcessorServer } from '../support/processor-server.js';
import type { Camera } from './camera.js';
import { goTo, leaveFor, leavePage, send } from './hosted-applicant.js';
import { onePixel } from './hosted-pages.js';
import { createLivePartner } from './live-partner.js';
import type { Studio } from './studio.js';

const operator = { name: 'Dana Operator', password: 'a sentence for the pictures', role: 'file' } as const;
/** Live mode takes no numbers that are for tests. */
const ssn = '234-56-7891';

/**
 * An application in live mode, with the view of all three roles at each point: the user signs and
 * pays at the processor, an operator files with both states and enters their decisions, one state
 * requests a document, the user sends it, and a part of the fees is refunded.
 */
export async function shootLiveWalk(studio: Studio, camera: Camera, language: Language): Promise<void> {
  const partner = createLivePartner();
  const processor = await startProcessorServer();
  const bridge = await startBridge({
    assets: loadApplyAssets(),
    paymentProcessor: createProcessorAdapter(processor),
    filingGateway: manualFiling(),
    sender: partner.sender,
    environment: { CONSOLE_PORT: '0' },
  });
  const user = await studio.openPage();
  const office = await studio.openPage();
  let count = 0;
  const shoot = async (page: Page, what: string, except: readonly string[] = []) => {
    count += 1;
    const subject = `live ${String(count).padStart(2, '0')} ${what}`;
    await camera.shoot(page, subject, { language, isWhole: true, except });
  };
  /** The partner's page after its last webhook. */
  const shootPartner = async (what: string, told: string) => {
    await until(async () => JSON.stringify(partner.events.at(-1) ?? {}).includes(told));
    await user.goto(partner.pageUrl);
    await user.locator('licensing-apply [part~=status-list]').waitFor();
    await shoot(user, `partner ${what}`);
  };
  try {
    await partner.begin(bridge, language);
    await partner.serve(user);
    await createOperator(bridge.context, { ...operator, hasTotp: false });

    await user.goto(partner.pageUrl);
    await shoot(user, 'partner before');
    await user.locator('licensing-apply button').first().click();
    await user.locator(`html[lang=${language}] .masthead`).waitFor();
    await goTo(user, 'review', ssn);
    await shoot(user, 'user signs');
    await goTo(user, 'payment', ssn);
    await shoot(user, 'user chooses how to pay');
    const applicationUrl = user.url().replace(/\/payment.*/, '');
    await user.locator('input[type=radio][value=card]').check();
    await leavePage(user, () => user.locator('form button[type=submit]:not([name], .quiet)').click());
    await user.waitForURL(`${processor.url}/**`);
    await user.fill('input[name=card]', processorCards.challenged);
    await user.locator('button').click();
    await user.fill('input[name=code]', '123456');
    await user.locator('button').click();
    await user.waitForURL(/\/receipt/);
    await shoot(user, 'user receipt');
    await user.locator('#done').click();
    await user.locator('licensing-apply [part~=status-list]').waitFor();
    await shootPartner('submitted', 'application.submitted');

    const { consoleUrl = '' } = bridge;
    const applicationId = partner.events[0]?.data.applicationId ?? '';
    await office.goto(`${consoleUrl}/`);
    await office.fill('input[name=name]', operator.name);
    await office.fill('input[name=password]', operator.password);
    await office.keyboard.press('Enter');
    await office.waitForURL((url) => !url.pathname.includes('sign-in'));
    await shoot(office, 'console home');
    await file('TX', 'TX-2026-1', true);
    await file('CA', 'CA-2026-1', false);
    await until(async () => [...processor.ledger.values()].some(({ capturedCents }) => capturedCents > 0));
    await decide('TX', 'approved', '');
    await shootPartner('Texas approved', 'approved');
    await decide('CA', 'requires_action', 'Send the court order that your answer names.');
    await shootPartner('California asks', 'application.requires_action');

    // In redirect mode, in the same tab.
    await user.locator('licensing-apply [part~=action-button]').click();
    await user.locator('#answer').waitFor();
    await shoot(user, 'user is asked');
    await user
      .locator('input[type=file]')
      .setInputFiles({ name: 'order.png', mimeType: 'image/png', buffer: onePixel });
    await user.locator('form[data-upload] button[type=submit]').click();
    await user.locator('.documents li').first().waitFor();
    await user.fill('#answer', 'Here is the court order.');
    await user.locator('#confirm').check();
    await shoot(user, 'user answers');
    await leaveFor(user, 'form:has(#answer) button[type=submit]');
    await shoot(user, 'user answered');
    await shootPartner('California reviews', 'pending_review');

    await file('CA', 'CA-2026-2', true);
    await decide('CA', 'approved', '');
    await shootPartner('California approved', 'approved');

    await office.goto(`${consoleUrl}/applications/${applicationId}/refund`);
    await office.fill('input[name=amount]', '20.00');
    await office.fill('[name=reason]', 'Texas waived a part of its fee');
    await shoot(office, 'console refund');
    await send(office);
    await shoot(office, 'console application refunded');
    await office.goto(`${consoleUrl}/payments`);
    await shoot(office, 'console payments');
    await office.goto(`${consoleUrl}/audit`);
    await shoot(office, 'console audit trail');
    await until(async () => {
      await user.goto(`${applicationUrl}/receipt`);
      return (await user.content()).includes('20.00');
    });
    await shoot(user, 'user receipt refunded');

    /** Claims the waiting filing, opens it and enters it as filed. */
    async function file(state: string, reference: string, isShown: boolean): Promise<void> {
      await office.goto(`${consoleUrl}/filings`);
      if (isShown) await shoot(office, `console filings ${state}`);
      await office.goto(`${consoleUrl}/filings/${applicationId}/${state}`);
      await leaveFor(office, 'form[action$="/claim"] button');
      if (isShown) await shoot(office, `console filing ${state}`);
      await office.fill('input[name=reference]', reference);
      await leaveFor(office, 'form[action$="/filed"] button');
    }

    async function decide(state: string, status: string, reason: string): Promise<void> {
      await office.goto(`${consoleUrl}/applications/${applicationId}/states/${state}`);
      await office.locator(`input[value=${status}]`).check();
      await office.fill('[name=reason]', reason);
      await shoot(office, `console decides ${state} ${status}`);
      await send(office);
    }
  } finally {
    await Promise.all([user.context().close(), office.context().close()]);
    await bridge.stop();
    await partner.close();
    await processor.stop();
  }
}
