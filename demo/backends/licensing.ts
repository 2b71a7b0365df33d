import { createBridgeClient, createLicensingHandler } from 'licensing-apply/server';

const { BRIDGE_URL = '', BRIDGE_CLIENT_ID = '', BRIDGE_CLIENT_SECRET = '', LICENSING_SECRET = '' } = process.env;
const { SITE_URL = 'http://localhost:3000' } = process.env;

export const licensing = createLicensingHandler({
  bridge: createBridgeClient({ baseUrl: BRIDGE_URL, clientId: BRIDGE_CLIENT_ID, clientSecret: BRIDGE_CLIENT_SECRET }),
  secret: LICENSING_SECRET,
  publicUrl: `${SITE_URL}/licensing`,
  // Your own sign-in: return the user of this request, or null.
  identify({ headers }) {
    const userId = /\buser=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1];
    return userId ? { userId, profile: { firstName: 'Avery', lastName: 'Sample' } } : null;
  },
  session() {
    return { applicationType: 'new', licenseType: 'life_health', states: ['TX', 'CA'], returnUrl: `${SITE_URL}/done` };
  },
  on: { progress: ({ userId, progress }) => console.log(`${userId} is at ${progress.step}.`) },
});
