import { openStep } from '../../domain/apply/submission.js';
import { enter } from '../enter.js';
import type { ApplyApp, ApplyRequest, ApplyRoom } from '../environment.js';
import { goWhereItIsOpen, leave, showPage } from '../show.js';
import { startPage } from '../view/start-page.js';

/** The link itself, what you'll need, and the way out. */
export function addStartRoutes(app: ApplyApp, room: ApplyRoom): void {
  function showStart(c: ApplyRequest) {
    const visit = c.get('visit');
    const { mode, payment_method: paymentMethod } = visit.session.application;
    return showPage(c, startPage(visit, paymentMethod !== 'user_pays' || room.processor.serves(mode)));
  }

  app.get('/s/:token', enter(room, 'open'), (c) => {
    const visit = c.get('visit');
    const { application, saved } = visit.session;
    // Who has begun goes on where they were; who has not is told first what they will need.
    if (application.step === 'profile' && !saved.profile) return showStart(c);
    return c.redirect(visit.path(openStep(visit.session)), 303);
  });

  // "What you'll need" once more, for Back from the first step.
  app.get('/s/:token/start', enter(room, 'profile'), showStart);

  app.get('/s/:token/leave', enter(room, 'open'), (c) => leave(c));
  app.post('/s/:token', enter(room, 'open'), (c) => goWhereItIsOpen(c));
}
