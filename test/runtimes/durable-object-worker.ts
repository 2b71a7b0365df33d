/**
 * A Worker whose store is the example on a Durable Object. Bundled and run by the suite `runtimes`.
 */
import { createBridgeClient, createLicensingHandler, type LicensingHandler } from 'licensing-apply/server';
import { durableObjectStore, type LicensingRecords } from './durable-object.ts';

export { LicensingRecords } from './durable-object.ts';

interface Env extends Record<
  'BRIDGE_URL' | 'BRIDGE_CLIENT_ID' | 'BRIDGE_CLIENT_SECRET' | 'LICENSING_SECRET' | 'SITE_URL',
  string
> {
  LICENSING: DurableObjectNamespace<LicensingRecords>;
}

let licensing: LicensingHandler | undefined;

export default {
  fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const { BRIDGE_URL: baseUrl, BRIDGE_CLIENT_ID: clientId, BRIDGE_CLIENT_SECRET: clientSecret, SITE_URL: site } = env;
    licensing ??= createLicensingHandler({
      bridge: createBridgeClient({ baseUrl, clientId, clientSecret }),
      secret: env.LICENSING_SECRET,
      publicUrl: `${site}/licensing`,
      store: durableObjectStore(env.LICENSING),
      reconcileMinutes: 0,
      identify({ headers }) {
        const userId = /\buser=(\w+)/.exec(headers.get('cookie') ?? '')?.[1];
        return userId ? { userId, profile: { firstName: 'Avery', lastName: 'Sample' } } : null;
      },
      session: () => ({
        applicationType: 'new',
        licenseType: 'life_health',
        states: ['TX', 'CA'],
        returnUrl: `${site}/done`,
      }),
      on: { progress: ({ userId, progress }) => console.log(`${userId} is at ${progress.step}.`) },
    });
    return licensing(request, context);
  },
};
