import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { CreateSessionRequest, LicensingProfile, Mode, Session } from '../../../../src/contract/index.js';
import type { Answers } from '../../../../src/bridge/catalogue/answers.js';
import { associatedData } from '../../../../src/bridge/domain/applications/session.js';
import { loadApplyAssets, type ApplyAssets } from '../../../../src/bridge/apply/index.js';
import { allowShortcuts } from './shortcuts.js';
import { startBridge, type TestBridge, type TestBridgeOptions } from '../../../support/bridge.js';

/**
 * The origin of the tests' partner. No server listens there: browsers are routed, and plain
 * requests follow no redirect.
 */
export const partnerOrigin = 'http://localhost:5999';

/** A real bridge, and a function that creates sessions. */
export interface ApplyService extends TestBridge {
  /** Syncs the profile (operation 17) and creates a session (operation 18). */
  createSession(request?: Partial<CreateSessionRequest>, options?: SessionOptions): Promise<Session>;
  /** Reads the background answers that are saved. */
  answersOf(applicationId: string): Promise<Answers>;
}

/** The user and mode of a session. */
export interface SessionOptions {
  profile?: LicensingProfile;
  mode?: Mode;
}

/** The partner's profile of the user. */
const knownProfile: LicensingProfile = {
  firstName: 'Ana',
  lastName: 'Rivera',
  email: 'ana.rivera@example.com',
  phone: '512 555 0100',
  dateOfBirth: '1985-03-27',
  residentialAddress: { street: '12 Elm Street', city: 'Austin', state: 'TX', zip: '78701' },
};

/**
 * Starts a bridge. With `built`, pages have their script and style, built from the sources as they
 * are.
 */
export async function startApplyService(options: TestBridgeOptions & { built?: boolean } = {}): Promise<ApplyService> {
  const { built, ...rest } = options;
  // All visitors of a test share one IP address, and open many pages per minute.
  const bridgeOptions = { ...rest, environment: { BRIDGE_PAGE_LIMIT: '1000000', ...rest.environment } };
  const bridge = await startBridge(built ? { ...bridgeOptions, assets: await buildAssets() } : bridgeOptions);
  allowShortcuts(bridge.context);
  return {
    ...bridge,
    async createSession(request = {}, { profile = knownProfile, mode = 'test' } = {}) {
      const token = bridge.tokens[mode];
      const userId = request.userId ?? `usr_${randomBytes(4).toString('hex')}`;
      await bridge.call('PATCH', `/v1/users/${userId}/licensing-profile`, { body: profile, token });
      const body = {
        userId,
        applicationType: 'new',
        licenseType: 'life_health',
        states: ['TX', 'CA'],
        returnUrl:
          mode === 'live'
            ? 'https://partner.example/return?state=once-only'
            : `${partnerOrigin}/return?state=once-only&page=a%20b`,
        ...request,
      };
      const answer = await bridge.call('POST', '/v1/applications/sessions', { body, token });
      if (answer.status !== 200) throw new Error(`No session: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    async answersOf(applicationId) {
      const { encrypted } = await bridge.context.db
        .selectFrom('applicationStep')
        .select('encrypted')
        .where('applicationId', '=', applicationId)
        .where('step', '=', 'background')
        .executeTakeFirstOrThrow();
      const text = bridge.context.keys.of('test').decrypt(encrypted ?? '', associatedData(applicationId, 'background'));
      return JSON.parse(text) as Answers;
    },
  };
}

async function buildAssets(): Promise<ApplyAssets> {
  const folder = mkdtempSync(join(tmpdir(), 'licensing-apply-assets-'));
  try {
    await build({ mode: 'assets', logLevel: 'error', build: { outDir: folder } });
    return loadApplyAssets(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
