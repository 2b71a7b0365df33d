import { enter } from '../enter.js';
import type { ApplyApp, ApplyRoom } from '../environment.js';
import { goWhereItIsOpen, leave, showPage } from '../show.js';
import { startPage } from '../view/start-page.js';

/** The link itself, what you'll need, and the way out. */
export function addStartRoutes(app: ApplyApp, room: ApplyRoom): void {
  app.get('/s/:token', enter(room, 'open'), (c) => {
    const visit = c.get('visit');
    const { application, saved } = visit.session;
    // Who has begun goes on where they were; who has not is told first what they will need.
    if (application.step === 'profile' && !saved.profile) return showPage(c, startPage(visit));
    return c.redirect(visit.path(application.step), 303);
  });

  // "What you'll need" once more, for Back from the first step.
  app.get('/s/:token/start', enter(room, 'profile'), (c) => showPage(c, startPage(c.get('visit'))));

  app.get('/s/:token/leave', enter(room, 'open'), (c) => leave(c));
  app.post('/s/:token', enter(room, 'open'), (c) => goWhereItIsOpen(c));
}
