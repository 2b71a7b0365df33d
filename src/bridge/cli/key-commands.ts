import { findOldKeyUse, renewLinks, type OldKeyUse } from '../domain/keys/key-use.js';
import { reseal, type ResealedTable } from '../domain/keys/reseal.js';
import { forgetOldKeys } from '../store/accounts/secret-key-store.js';
import { UsageError, type Command } from './command.js';
import { withCore } from './with-core.js';

/** `licensing-bridge keys …` */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys reseal',
    doc: 'Seal what older keys sealed with BRIDGE_SECRET_KEY, and say whether BRIDGE_OLD_SECRET_KEYS is still needed.',
    options: {
      links: {
        value: 'renew',
        doc: 'After a key was stolen: give every open link a new address, and end the old ones.',
      },
      'old-keys': {
        value: 'lost',
        doc: 'After the key was lost for good: have the bridge start with another one. What the lost one made stays unreadable.',
      },
    },
    async run(invocation) {
      const { links, 'old-keys': oldKeys } = invocation.options;
      if (links !== undefined && links !== 'renew') throw new UsageError('--links: expected renew.');
      if (oldKeys !== undefined && oldKeys !== 'lost') throw new UsageError('--old-keys: expected lost.');
      await withCore(
        invocation,
        async (context) => {
          const tables = await reseal(context);
          const renewedLinks = links === 'renew' ? await renewLinks(context) : 0;
          const needed = await findOldKeyUse(context);
          const result = { tables, renewedLinks, needed, oldKeysNeeded: isNeeded(tables, needed) };
          if (!result.oldKeysNeeded) await forgetOldKeys(context.db, context.keys.newestId);
          const lines = [
            ...tables.map(({ table, resealed }) => `${table}: ${String(resealed)} sealed anew`),
            ...(links === 'renew' ? [`links: ${String(renewedLinks)} renewed`] : []),
            ...(result.oldKeysNeeded ? reasons(tables, needed) : ['The old keys are not needed any more.']),
          ];
          invocation.print(result, lines);
        },
        { isKeyTrusted: oldKeys === 'lost' },
      );
    },
  },
];

function isNeeded(tables: ResealedTable[], { secrets, sessionLinks, actionLinks }: OldKeyUse): boolean {
  return tables.some(({ left }) => left > 0) || secrets + sessionLinks + actionLinks > 0;
}

function reasons(tables: ResealedTable[], needed: OldKeyUse): string[] {
  const count = (number: number, what: string) => (number === 0 ? [] : [`  ${String(number)} ${what}`]);
  return [
    'The old keys are still needed by:',
    ...tables.flatMap(({ table, left, unreadable }) => [
      ...count(left - unreadable, `texts of ${table} that were written meanwhile: run this again`),
      ...count(unreadable, `texts of ${table} whose key is not in BRIDGE_OLD_SECRET_KEYS: add it`),
    ]),
    ...count(needed.secrets, 'client secrets, each until its next login'),
    ...count(needed.sessionLinks, `repeatable calls for a session, until ${needed.sessionLinksUntil}`),
    ...count(needed.actionLinks, 'requests for action, until they are answered or decided'),
  ];
}
