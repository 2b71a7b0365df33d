import { accountDescriptions } from './descriptions/account.js';
import { applicationDescriptions } from './descriptions/application.js';
import { bulkDescriptions } from './descriptions/bulk.js';
import { credentialDescriptions } from './descriptions/credential.js';
import { eventsDescriptions } from './descriptions/events.js';
import { failuresDescriptions } from './descriptions/failures.js';
import { loginDescriptions } from './descriptions/login.js';
import { onboardingDescriptions } from './descriptions/onboarding.js';
import { producerDescriptions } from './descriptions/producer.js';
import { profileDescriptions } from './descriptions/profile.js';
import { sessionDescriptions } from './descriptions/session.js';
import { subscriptionDescriptions } from './descriptions/subscription.js';
import { territoryDescriptions } from './descriptions/territory.js';

const descriptions: Record<string, Record<string, string>> = {
  ...accountDescriptions,
  ...applicationDescriptions,
  ...bulkDescriptions,
  ...credentialDescriptions,
  ...eventsDescriptions,
  ...failuresDescriptions,
  ...loginDescriptions,
  ...onboardingDescriptions,
  ...producerDescriptions,
  ...profileDescriptions,
  ...sessionDescriptions,
  ...subscriptionDescriptions,
  ...territoryDescriptions,
  StoredAddress: profileDescriptions.ResidentialAddress,
  Npn: { '': 'National producer number, without leading zeros.' },
  NpnDigits: { '': 'National producer number, 1 to 10 digits. Leading zeros do not count.' },
  NpnInput: { '': 'National producer number, as digits or as a whole number.' },
  Ssn: { '': 'Nine digits, or 3-2-4 with dashes.' },
  StateCode: { '': 'One of the 50 states, DC, or the territories AS, GU, MP, PR and VI.' },
  Zip: { '': 'Five digits, or five and four.' },
  Slug: { '': 'A lower-case word such as `new` or `life_health`. The set of values is not closed.' },
  PartnerUrl: {
    '': 'An https address, or in test mode http on localhost, which is `localhost`, `*.localhost`, `127.0.0.1` or `[::1]`. It holds no user name or password.',
  },
};

/** The part of a schema of the document that a description can be put on. */
interface Describable {
  description?: string;
  properties?: Record<string, Describable>;
}

/** Gives the schema of a name, and its fields, the words of the contract's comments. */
export function describe(name: string, schema: Describable): void {
  const texts = descriptions[name];
  if (texts === undefined) return;
  for (const [path, text] of Object.entries(texts)) {
    const keys = path === '' ? [] : path.split('.');
    const part = keys.reduce<Describable | undefined>((outer, key) => outer?.properties?.[key], schema);
    if (part !== undefined && text !== '') part.description = text;
  }
}
