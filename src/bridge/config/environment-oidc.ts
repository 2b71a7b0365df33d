import { z } from 'zod';
import type { ClaimSettings } from '../domain/operators/operator-claims.js';
import { isEncrypted } from './environment-values.js';

/** The client secret passes there, and what it answers opens the console. */
const issuerUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return isPlain && isEncrypted(url.href);
}, 'an https address without query, user or password; http is for loopback hosts only');

const text = z.string().regex(/^[^\p{Cc}]{1,500}$/u, 'a text of at most 500 characters');
const scopes = z
  .string()
  .refine((words) => words.split(' ').includes('openid'), 'scopes separated by spaces, with openid among them');

/** The identity provider of the console, with OpenID Connect. */
export const oidcVariables = {
  CONSOLE_OIDC_ISSUER: {
    default: undefined,
    schema: issuerUrl,
    doc: 'The issuer of the OpenID Connect provider at which operators sign in: see [Single sign-on](live-mode.md#single-sign-on). By default operators sign in with passwords.',
  },
  CONSOLE_OIDC_CLIENT_ID: {
    default: undefined,
    schema: text,
    doc: 'The client id of the console at the provider.',
  },
  CONSOLE_OIDC_CLIENT_SECRET: {
    default: undefined,
    schema: text,
    doc: 'The client secret of the console at the provider. Or CONSOLE_OIDC_CLIENT_SECRET_FILE: see [Keys](keys.md#keys-in-files).',
  },
  CONSOLE_OIDC_NAME: {
    default: 'single sign-on',
    schema: z.string().regex(/^[^\p{Cc}]{1,40}$/u, 'a name of at most 40 characters'),
    doc: 'The name of the provider, as on the button "Sign in with …".',
  },
  CONSOLE_OIDC_SCOPE: {
    default: 'openid profile',
    schema: scopes,
    doc: 'The scopes that the console asks for, separated by spaces. Some providers need one more for roles or groups.',
  },
  CONSOLE_OIDC_ROLES_CLAIM: {
    default: 'roles',
    schema: text,
    doc: 'The claim with the roles of an operator, one text or a list; with dots inside of other claims, such as `realm_access.roles`.',
  },
  CONSOLE_OIDC_VIEW_ROLE: {
    default: 'licensing-view',
    schema: text,
    doc: 'The value of that claim that gives the role `view`. The highest role counts.',
  },
  CONSOLE_OIDC_FILE_ROLE: {
    default: 'licensing-file',
    schema: text,
    doc: 'The value that gives the role `file`.',
  },
  CONSOLE_OIDC_SUPERVISE_ROLE: {
    default: 'licensing-supervise',
    schema: text,
    doc: 'The value that gives the role `supervise`.',
  },
  CONSOLE_OIDC_AGENCIES_CLAIM: {
    default: undefined,
    schema: text,
    doc: 'The claim with the ids of the agencies that an operator is limited to, or `all`. An operator without it is refused. By default every operator works with all agencies.',
  },
} as const;

/** The parsed variables. */
type OidcEnvironment = {
  readonly [Name in keyof typeof oidcVariables]:
    | z.output<(typeof oidcVariables)[Name]['schema']>
    | ((typeof oidcVariables)[Name]['default'] extends string ? never : undefined);
};

/** The settings of the identity provider. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  scope: string;
  /** The claims that the console needs. */
  neededClaims: string[];
}

/** The settings of the identity provider; `undefined` without `CONSOLE_OIDC_ISSUER`. */
export function readOidcSettings(environment: OidcEnvironment): OidcSettings | undefined {
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = environment;
  const { CONSOLE_OIDC_CLIENT_SECRET: clientSecret } = environment;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const { CONSOLE_OIDC_NAME: name, CONSOLE_OIDC_SCOPE: scope } = environment;
  const { CONSOLE_OIDC_ROLES_CLAIM: roles, CONSOLE_OIDC_AGENCIES_CLAIM: agencies } = environment;
  const neededClaims = ['name', roles, ...(agencies === undefined ? [] : [agencies])];
  return { issuer, clientId, clientSecret, name, scope, neededClaims };
}

/** Where the claims have roles and agencies; `undefined` without `CONSOLE_OIDC_ISSUER`. */
export function readClaimSettings(environment: OidcEnvironment): ClaimSettings | undefined {
  if (readOidcSettings(environment) === undefined) return undefined;
  return {
    rolesClaim: environment.CONSOLE_OIDC_ROLES_CLAIM,
    roles: {
      view: environment.CONSOLE_OIDC_VIEW_ROLE,
      file: environment.CONSOLE_OIDC_FILE_ROLE,
      supervise: environment.CONSOLE_OIDC_SUPERVISE_ROLE,
    },
    agenciesClaim: environment.CONSOLE_OIDC_AGENCIES_CLAIM,
  };
}

/** The variables of the provider that are missing where some of them are set. */
export function missingOidcVariables(source: Readonly<Record<string, unknown>>): string[] {
  const needed = ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET'];
  const missing = needed.filter((name) => source[name] === undefined);
  return missing.length === needed.length ? [] : missing;
}
