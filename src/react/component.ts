import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';

/** The element of a component, and how its props reach it. */
export interface ComponentOptions {
  tag: string;
  /** The props that are attributes of the tag, so that a server renders them too. */
  attributes: Readonly<Record<string, string>>;
  /** The props for properties without an attribute, or whose value the element normalizes. */
  properties: readonly string[];
  /** The types of the events by their props. */
  events: Readonly<Record<string, string>>;
  /** Registers the tag, in the browser only. Default: it is registered already. */
  define?: () => Promise<unknown>;
}

type Props = Readonly<Record<string, unknown>>;

// On a server there is no layout, and React 18 says so in its log for every request.
const useEffectBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/** Creates the component of a custom element, for React 18 and 19. */
export function createComponent<ElementProps extends object, ElementClass extends HTMLElement>(
  options: ComponentOptions,
): ForwardRefExoticComponent<ElementProps & RefAttributes<ElementClass>> {
  const { tag, properties, events, define } = options;

  const Component = forwardRef<ElementClass, Props>(function Component(props, ref) {
    const element = useRef<ElementClass>(null);
    const current = useRef<Props>({});

    useEffectBeforePaint(() => {
      const before = current.current;
      current.current = props;
      // Only what the parent changed: `open` also changes by itself, and must not be set back by
      // the next rendering.
      const changed = properties.filter((name) => props[name] !== before[name]);
      for (const name of changed) Object.assign(element.current ?? {}, { [name]: props[name] });
      // React 19 resets properties of all tags to undefined, and `id="undefined"` would stay.
      const attributesBefore = attributesOf(options, before);
      for (const [name, value] of Object.entries(attributesOf(options, props))) {
        if (value !== undefined && value !== null) Reflect.deleteProperty(attributesBefore, name);
      }
      for (const name of Object.keys(attributesBefore)) element.current?.removeAttribute(name);
    });

    useEffectBeforePaint(() => {
      // If it cannot be loaded, the content of the tag stays, and the next component tries again.
      define?.().catch(() => undefined);
      const listening = new AbortController();
      for (const [prop, type] of Object.entries(events)) {
        const listen = (event: Event) => {
          (current.current[prop] as ((event: Event) => void) | undefined)?.(event);
        };
        element.current?.addEventListener(type, listen, listening);
      }
      return () => {
        listening.abort();
      };
    }, []);

    useImperativeHandle(ref, () => element.current as ElementClass, []);

    // With server rendering, the element has already set attributes when React hydrates it.
    return createElement(tag, { suppressHydrationWarning: true, ...attributesOf(options, props), ref: element });
  });
  return Component as unknown as ForwardRefExoticComponent<ElementProps & RefAttributes<ElementClass>>;
}

/** The boolean attributes: they count whenever they are present. */
const flags: readonly string[] = [
  'hidden',
  'inert',
  'autoFocus',
  'itemScope',
] satisfies (keyof HTMLAttributes<Element>)[];

/** Returns the attributes of the tag. */
function attributesOf({ attributes, properties, events }: ComponentOptions, props: Props): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (name in events || properties.includes(name)) continue;
    const attribute = attributes[name] ?? name;
    // React 18 writes `hidden="false"`, which hides.
    found[attribute] = value === false && flags.includes(name) ? undefined : value;
  }
  return found;
}
