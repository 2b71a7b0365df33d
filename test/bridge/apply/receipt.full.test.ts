import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { ApplicationStatus, StateCode } from '../../../src/contract/index.js';
import { pdfText } from '../../support/pdf-text.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { createVisitor } from './support/visitor.js';

/** Words of the next steps. */
const left = {
  en: { approved: 'look it up with the insurance department', denied: 'how you can appeal', open: 'What happens next' },
  es: {
    approved: 'consúltelo en el departamento de seguros',
    denied: 'cómo puede apelar',
    open: 'Qué pasa ahora',
  },
};

interface Case {
  statuses: Partial<Record<StateCode, ApplicationStatus>>;
  /** The heading, in each language. */
  en: string;
  es: string;
  /** The next steps that it tells. */
  says: (keyof typeof left.en)[];
}

let service: ApplyService;
before(async () => {
  service = await startApplyService();
});
after(() => service.stop());

for (const { statuses, en, es, says } of [
  { statuses: { TX: 'approved' }, en: 'Application submitted', es: 'Solicitud enviada', says: ['open'] },
  {
    statuses: { TX: 'denied', CA: 'requires_action' },
    en: 'Application submitted',
    es: 'Solicitud enviada',
    says: ['open'],
  },
  {
    statuses: { TX: 'approved', CA: 'approved' },
    en: 'Application approved',
    es: 'Solicitud aprobada',
    says: ['approved'],
  },
  { statuses: { TX: 'denied', CA: 'denied' }, en: 'Application denied', es: 'Solicitud denegada', says: ['denied'] },
  {
    statuses: { TX: 'approved', CA: 'denied' },
    en: 'Every state has decided',
    es: 'Todos los estados han decidido',
    says: ['approved', 'denied'],
  },
] as Case[]) {
  const decided = Object.entries(statuses).map((entry) => entry.join(' '));
  it(`The receipt is called "${en}" when of Texas and California ${decided.join(' and ')}, and says what is left to do.`, async () => {
    const session = await service.createSession({ states: ['TX', 'CA'] });
    const { applicationId, applicationUrl } = session;
    await placeAt(service, session, 'receipt', { ssn: '900-11-0004' });
    for (const [state, status] of Object.entries(statuses)) {
      const license = status === 'approved' && state === 'TX' ? { licenseNumber: 'TX-1234567' } : {};
      const path = `/v1/test_helpers/applications/${applicationId}/states/${state}`;
      equal((await service.call('POST', path, { body: { status, ...license } })).status, 200);
    }
    for (const language of ['en', 'es'] as const) {
      const page = await createVisitor().get(`${applicationUrl}/receipt?lang=${language}`);
      equal(page.heading, { en, es }[language]);
      const file = await fetch(`${applicationUrl}/receipt.pdf?lang=${language}`);
      const pdf = pdfText(Buffer.from(await file.arrayBuffer())).replaceAll(/\s+/g, ' ');
      for (const text of [page.html, pdf]) {
        const said = Object.entries(left[language]).filter(([, words]) => text.includes(words));
        deepEqual(
          said.map(([name]) => name),
          says,
        );
      }
      const isDecided = !says.includes('open');
      equal(pdf.includes({ en, es }[language]), isDecided);
      // An open status would be wrong as soon as it changes.
      equal(pdf.includes('TX-1234567'), isDecided && statuses.TX === 'approved');
      ok(!pdf.includes(language === 'en' ? 'In review' : 'En revisión'));
    }
  });
}

it('The receipt lists what the user said is not done yet, with where to do it, until that state decides.', async () => {
  const session = await service.createSession({ states: ['TX', 'CA'] });
  const { applicationId, applicationUrl } = session;
  // The typed profile is exempt from the exam of Texas; its fingerprints are not taken yet.
  await placeAt(service, session, 'receipt', { ssn: '900-11-0004' });
  const pending = async (language: 'en' | 'es') => {
    const { html } = await createVisitor().get(`${applicationUrl}/receipt?lang=${language}`);
    return [...html.matchAll(/<section class="inset">[\s\S]*?<\/section>/g)].map(([box]) => box);
  };
  for (const [language, title] of [
    ['en', 'Fingerprints: Texas'],
    ['es', 'Huellas dactilares: Texas'],
  ] as const) {
    const [box = '', ...others] = await pending(language);
    ok(box.includes(title) && box.includes('"https://www.identogo.com"'));
    deepEqual(others, []);
  }
  const path = `/v1/test_helpers/applications/${applicationId}/states/TX`;
  equal((await service.call('POST', path, { body: { status: 'approved' } })).status, 200);
  deepEqual(await pending('en'), []);
});
