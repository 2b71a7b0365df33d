import { httpErrors } from '../../src/server/http/reply.js';
import { httpErrorGuide } from './http-error-guide.js';
import { code, codeOf, fieldsOf, fieldsTable, optionsTable, read, table } from './markdown.js';

const listenerEvents = {
  progress: 'ApplicationProgressEvent',
  submitted: 'ApplicationSubmittedEvent',
  status: 'ApplicationStatusEvent',
  requiresAction: 'ApplicationActionEvent',
};

/** The generated parts about backends, by the name of their marker. */
export const serverTables: Record<string, () => string> = {
  'client-options': () => optionsTable('src/server/**/*.ts', 'BridgeClientOptions'),
  'handler-options': () => optionsTable('src/server/**/*.ts', 'LicensingHandlerOptions'),
  'client-errors': () => {
    // Editors show the same comment.
    const listed = read('src/server/client/bridge-client-error.ts').matchAll(/^ \* - (`\w+`): (.+)$/gm);
    return table(
      ['Code', 'Meaning'],
      [...listed].map(([, name, meaning = '']) => [name, meaning.charAt(0).toUpperCase() + meaning.slice(1)]),
    );
  },
  'http-errors': () =>
    table(
      ['Status', 'Code', 'Routes', 'When', 'What to do'],
      httpErrorGuide.map(({ code: name, routes, when }) => {
        const [status, message] = httpErrors[name];
        return [String(status), code(name), routes.map(code).join('<br>'), when, message];
      }),
    ),
  'session-fields': () => fieldsTable('src/contract/{generated,partner}.ts', ['SessionOptions']),
  'partner-request': () => fieldsTable('src/contract/partner.ts', ['PartnerSessionRequest']),
  'partner-session': () => fieldsTable('src/contract/partner.ts', ['PartnerSession']),
  'partner-application': () => fieldsTable('src/contract/{generated,partner}.ts', ['PartnerApplication']),
  'profile-fields': () => fieldsTable('src/contract/generated.ts', ['LicensingProfile']),
  'listener-events': () => {
    const all = fieldsTable('src/server/applications/events.ts', ['ApplicationEventBase']);
    const each = Object.entries(listenerEvents).map(
      ([name, type]) => `#### on.${name}\n\n${fieldsTable('src/server/applications/events.ts', [type])}`,
    );
    return ['#### All events', all, ...each].join('\n\n');
  },
  'producer-event': () => fieldsTable('src/server/applications/events.ts', ['ProducerUpdatedEvent'], ['type']),
  'hosted-options': () => optionsTable('src/hosted/**/*.ts', 'HostedPageOptions'),
  'page-messages': () => fieldsTable('src/channel/messages.ts', ['PageMessages']),
  'element-messages': () => fieldsTable('src/channel/messages.ts', ['ElementMessages']),
  'testing-options': () => fieldsTable('src/testing/licensing-options.ts', ['LicensingOptions']),
  'testing-methods': () =>
    table(
      ['Member', 'Description'],
      fieldsOf('src/testing/licensing.ts', 'Licensing').map(({ name, type, doc }) => {
        const [, parameters] = /^(\(.*\)) => /.exec(type) ?? [];
        return [code(`${name}${parameters ?? ''}`), doc];
      }),
    ),
  'own-store': () => codeOf('demo/stores/durable-object.ts'),
  ...Object.fromEntries(
    ['licensing', 'node', 'express', 'fastify', 'hono', 'next', 'bun', 'deno', 'workers'].map((name) => [
      `backend-${name}`,
      () => codeOf(`demo/backends/${name}.ts`),
    ]),
  ),
  ...Object.fromEntries(
    ['index.html', 'done.html', 'server.mjs'].map((name) => [
      `quick-start-${name.replace('.', '-')}`,
      () => codeOf(`demo/quick-start/${name}`, `${name.endsWith('html') ? 'html' : 'js'} file=${name}`),
    ]),
  ),
};
