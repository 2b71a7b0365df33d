import type { Plugin } from 'vite';

/** Something that is left out: the text as it stands in the file, and what stays of it. */
type Cut = readonly [text: string | RegExp, rest?: string];

/*
 * What no template and no property of this element uses: SVG and MathML templates, compiled ones, directives, element parts,
 * holes inside of comments and of `<script>` or `<style>`, reactive controllers, decorators, converters, defaults and accessors of
 * one's own, the hooks around an update, and the doors for polyfills and for hydration. 1.3 kB of 24. The templates are ours alone, so nobody can bring one that needs them.
 *
 * The files are the minified ones that Lit publishes. A text that is not there exactly once stops the build: with another version
 * of Lit every cut has to be looked at again.
 */
const cuts: Readonly<Record<string, readonly Cut[]>> = {
  'lit-html/lit-html.js': [
    ['w=x(2),T=x(3),'],
    [',w as svg'],
    ['T as mathml,'],
    ['l=2===i?"<svg>":3===i?"<math>":""', 'l=""'],
    ['+(2===i?"</svg>":3===i?"</math>":"")'],
    [',2===i||3===i){const t=this.el.content.firstChild;t.replaceWith(...t.childNodes)}', ');'],
    ['if(this.el=S.createElement(f,e)', '(this.el=S.createElement(f,e)'],
    ['y.test(u[2])&&(n=RegExp("</"+u[2],"g")),'],
    [/if\(y\.test\(r\.tagName\)\)\{.*?r\.append\(t\[i\],c\(\)\)\}\}/],
    ['y=/^(?:script|style|textarea|title)$/i,'],
    [/if\(r\.data===n\)(d\.push\(\{type:2,index:l\}\));else\{.*?t\+=o\.length-1\}/, 'r.data===n&&$1;'],
    ['else t.startsWith(o)&&(d.push({type:6,index:l}),r.removeAttribute(t));'],
    [/1===r\.type\?(i=new r\.ctor\(.*?\)):6===r\.type&&\(i=new Z\(h,this,t\)\)/, '$1'],
    [/class Z\{.*?\}_\$AI\(t\)\{M\(this,t\)\}\}/],
    [/function M\(t,i,s=t,e\)\{.*?,i\}(?=class R)/],
    ['(t,i=this){t=M(this,t,i),', '(t){'],
    ['(t,i=this){if((t=M(this,t,i,0)??A)===E)return;', '(t){t??=A;'],
    [/const j=\{M:h.*?\.push\("3\.3\.3"\);/],
    ['j as _$LH,'],
    ['setConnected(t){void 0===this._$AM&&(this._$Cv=t,this._$AP?.(t))}'],
    [',this._$Cv=e?.isConnected??!0'],
    ['this._$AP?.(!1,!0,s)'],
    [
      'e="number"==typeof s?this._$AC(t):(void 0===s.el&&(s.el=S.createElement(V(s.h,s.h[0]),this.options)),s)',
      'e=this._$AC(t)',
    ],
    ['(t?.creationScope??l)', 'l'],
    ['get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}'],
    ['get _$AU(){return this._$AM?._$AU??this._$Cv}'],
    ['get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}'],
    [/get parentNode\(\)\{let t=this\._\$AA\.parentNode;.*?get endNode\(\)\{return this\._\$AB\}/],
    // Attributes are one hole each, which `transform` makes sure of.
    [/s\.length>2\|\|""!==s\[0\].*?this\.strings=s\):/],
    [
      /const h=this\.strings;let o=!1;if\(void 0===h\).*?o&&!e&&this\.j\(t\)/,
      '(!a(t)||t!==this._$AH)&&this.j(this._$AH=t)',
    ],
    ['_$AI(t,i=this,s,e)', '_$AI(t)'],
    [/void 0!==s&&\(void 0!==s\.strings\?\(.*?\):s\._\$AI\(t\[i\]\)\)/, 's?._$AI(t[i])'],
    // Who asks a part of which kind it is, or what it is in, is a directive.
    ['constructor(){super(...arguments),this.type=3}'],
    ['constructor(){super(...arguments),this.type=4}'],
    ['constructor(t,i,s,e,h){super(t,i,s,e,h),this.type=5}'],
    ['this.type=2,this._$AH=A,this._$AN=void 0,', 'this._$AH=A,'],
    ['this.type=1,this._$AH=A,this._$AN=void 0,'],
    ['this._$AB=i,this._$AM=s,', 'this._$AB=i,'],
    ['this._$AM=e,this.options=h,', 'this.options=h,'],
    ['this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=i', 'this._$AV=[],this._$AD=t'],
    // Listeners are functions, without options.
    ['||t.capture!==s.capture||t.once!==s.once||t.passive!==s.passive'],
    ['(s===A||e)', 's===A'],
    [/handleEvent\(t\)\{.*?\.handleEvent\(t\)\}/, 'handleEvent(t){this._$AH.call(this.options.host,t)}'],
    [/d=t=>u\(t\)\|\|.*?Symbol\.iterator\]/, 'd=u'],
    [
      /const e=s\?\.renderBefore\?\?i;let h=e\._\$litPart\$;.*?s\?\?\{\}\)\}/,
      'let h=i._$litPart$??=new k(i.appendChild(c()),null,void 0,s);',
    ],
  ],
  '@lit/reactive-element/reactive-element.js': [
    [',p=a.reactiveElementPolyfillSupport'],
    [/,p\?\.\(\{ReactiveElement:y\}\),.*?\.push\("2\.1\.2"\)/],
    ['Symbol.metadata??=Symbol("metadata"),a.litPropertyMetadata??=new WeakMap;'],
    [/const t=this\[Symbol\.metadata\];.*?(?=this\._\$Eh=new Map)/],
    ['static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}'],
    [',this.constructor.l?.forEach(t=>t(this))'],
    ['void 0!==t.l&&(this.l=[...t.l]),'],
    [/addController\(t\)\{.*?removeController\(t\)\{.*?\}/],
    [',this._$EO?.forEach(t=>t.hostConnected?.())'],
    ['this._$EO?.forEach(t=>t.hostDisconnected?.())'],
    ['this._$EO?.forEach(t=>t.hostUpdate?.()),'],
    ['this._$EO?.forEach(t=>t.hostUpdated?.()),'],
    ['case Object:case Array:t=null==t?t:JSON.stringify(t)'],
    // A property is a truth, a number or a text.
    [
      /let i=t;switch\(s\)\{case Boolean:i=null!==t.*?return i\}/,
      'return s===Boolean?null!==t:s&&null!==t?Number(t):t}',
    ],
    ['(void 0!==i.converter?.toAttribute?i.converter:u)', 'u'],
    [/"function"==typeof t\.converter\?\{.*?t\.converter:u/, 'u'],
    ['r??this._$Ej?.get(e)??r', 'r'],
    [
      '(i.hasChanged??f)(h,s)||i.useDefault&&i.reflect&&h===this._$Ej?.get(t)&&!this.hasAttribute(r._$Eu(t,i))',
      'f(h,s)',
    ],
    // What reflects into an attribute is no script.
    ['c=a.trustedTypes,l=c?c.emptyScript:"",'],
    ['t?l:null', 't?"":null'],
    [/\{useDefault:i,reflect:e,wrapped:h\},r\)\{.*?\|\|\(this/, '{reflect:e}){(this'],
    ['this.hasUpdated||i||', 'this.hasUpdated||'],
    [/const t=this\.constructor\.elementProperties;if\(t\.size>0\).*?\}(?=\}let t)/],
    ['{attribute:!0,type:String,converter:u,reflect:!1,useDefault:!1,hasChanged:f}', '{}'],
    [/if\(s\.state&&.*?!s\.noAccessor\)\{(.*?)void 0!==h&&(.*?)\}/, 'this.elementProperties.set(t,s);$1$2'],
    [
      /const\{get:e,set:r\}=h.*?set\(s\)\{.*?,i\)\}/,
      'return{get(){return this[s]},set(e){const h=this[s];this[s]=e,this.requestUpdate(t,h,i)}',
    ],
    ['[...r(t),...o(t)]', 'r(t)'],
    [/const i=\[\];if\(Array\.isArray\(s\)\).*?return i\}/, 'return s}'],
    ['let t=!1;const s=this._$AL', 'const s=this._$AL'],
    [/t=this\.shouldUpdate\(s\),t\?\((.*?)\):this\._\$EM\(\)\}catch\(s\)\{throw t=!1,/, '$1}catch(s){throw '],
    ['t&&this._$AE(s)', 'this._$AE(s)'],
    ['this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t))', 'this.hasUpdated=!0'],
    ['const t=this.scheduleUpdate();return null!=t&&await t,', 'return this.performUpdate(),'],
    ['scheduleUpdate(){return this.performUpdate()}'],
    ['return this.getUpdateComplete()}getUpdateComplete(){'],
    ['shouldUpdate(t){return!0}'],
    ['firstUpdated(t){}'],
  ],
  'lit-element/lit-element.js': [
    [/createRenderRoot\(\)\{.*?firstChild,t\}/],
    [/,s\.litElementHydrateSupport.*?\.push\("4\.2\.2"\)/],
    [',n as _$LE'],
    [/connectedCallback\(\)\{super.*?setConnected\(!1\)\}/],
    ['this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),'],
  ],
};

/** Lit without what this element never uses. */
export const leanLit: Plugin = {
  name: 'lean-lit',
  enforce: 'pre',
  transform(code, id) {
    if (/src.element/.test(id) && /\s[\w.?@-]+=("[^"`]*\$\{|[^\s"'`$>]+\$\{)/.test(code))
      throw new Error(`${id}: an attribute that is more than one hole needs a part of Lit that is left out.`);
    const file = Object.keys(cuts).find((name) => id.endsWith(`node_modules/${name}`));
    if (file === undefined) return null;
    return { code: (cuts[file] ?? []).reduce(withoutCut, code), map: null };
  },
};

function withoutCut(code: string, [text, rest = '']: Cut): string {
  const [before, ...after] = code.split(text);
  if (before === undefined || after.length === 0) throw new Error(`Lit has changed: there is no ${String(text)}.`);
  return code.replace(text, rest);
}
