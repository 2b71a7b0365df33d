/** What all events of the element share: they bubble, out of shadow trees too, and carry what they say as properties. */
export abstract class LicensingEvent extends Event {
  constructor(type: string, said: object, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
    Object.assign(this, said);
  }
}
