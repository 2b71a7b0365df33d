import { LicensingEvent } from './licensing-event.js';
import type { OpenMode } from '../mode.js';

/** `licensing-beforeopen`: the application is about to open. Cancelable: prevent it to ask the user something first. */
export class LicensingBeforeOpenEvent extends LicensingEvent {
  /** How it will open, as long as this mode works. */
  declare readonly mode: OpenMode;
  constructor(said: Pick<LicensingBeforeOpenEvent, 'mode'>) {
    super('licensing-beforeopen', said, true);
  }
}
