import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import type { LicensingApply as LicensingApplyElement } from '../element/define.js';
import '../element/define.js';
import { attributes, type EventProp, events, type LicensingApplyProps, properties } from './props.js';

// On a server there is no layout, and React 18 says so in its log for every request.
const useEffectBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * The element as a component. Setting `open` opens and closes; `onStateChange` and `onClose` report
 * when the user does.
 */
export const LicensingApply: ForwardRefExoticComponent<LicensingApplyProps & RefAttributes<LicensingApplyElement>> =
  /* @__PURE__ */ forwardRef(function LicensingApply(props, ref) {
    const element = useRef<LicensingApplyElement>(null);
    const current = useRef<LicensingApplyProps>({});

    useEffectBeforePaint(() => {
      const before = current.current;
      current.current = props;
      // Only what the parent changed: `open` also changes by itself, and must not be set back by
      // the next rendering.
      const changed = properties.filter((name) => props[name] !== before[name]);
      for (const name of changed) Object.assign(element.current ?? {}, { [name]: props[name] });
      // React 19 resets properties of all tags to undefined, and `id="undefined"` would stay.
      const attributesBefore = attributesOf(before);
      for (const [name, value] of Object.entries(attributesOf(props))) {
        if (value !== undefined && value !== null) Reflect.deleteProperty(attributesBefore, name);
      }
      for (const name of Object.keys(attributesBefore)) element.current?.removeAttribute(name);
    });

    useEffectBeforePaint(() => {
      const listening = new AbortController();
      for (const [prop, type] of Object.entries(events) as [EventProp, string][]) {
        const listen = (event: Event) => {
          (current.current[prop] as ((event: Event) => void) | undefined)?.(event);
        };
        element.current?.addEventListener(type, listen, listening);
      }
      return () => {
        listening.abort();
      };
    }, []);

    useImperativeHandle(ref, () => element.current as LicensingApplyElement, []);

    // With server rendering, the element has already set attributes when React hydrates it.
    return createElement('licensing-apply', { suppressHydrationWarning: true, ...attributesOf(props), ref: element });
  });

/** The boolean attributes: they count whenever they are present. */
const flags: readonly string[] = ['hidden', 'inert', 'autoFocus', 'itemScope'] satisfies (keyof LicensingApplyProps)[];

/** Returns the attributes of the tag. */
function attributesOf(props: LicensingApplyProps): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (name in events || (properties as readonly string[]).includes(name)) continue;
    const attribute = name in attributes ? attributes[name as keyof typeof attributes] : name;
    // React 18 writes `hidden="false"`, which hides.
    found[attribute] = value === false && flags.includes(name) ? undefined : value;
  }
  return found;
}
