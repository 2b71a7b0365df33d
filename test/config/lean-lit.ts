import type { Plugin } from 'vite';

/** Something that is left out: the text as it stands in the file, and what stays of it. */
type Cut = readonly [text: string | RegExp, rest?: string];

/*
 * What no template and no property of this element uses: SVG and MathML templates, compiled ones, directives, element parts,
 * holes inside of comments and of `<script>` or `<style>`, reactive controllers, decorators, JSON attributes, and the doors for
 * polyfills and for hydration. 1 kB of 24. The templates are ours alone, so nobody can bring one that needs them.
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
    [/function M\(t,i,s=t,e\)\{.*?,i\}(?=class R)/, 'const M=(t,i)=>i;'],
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
    ['case Object:case Array:try{i=JSON.parse(t)}catch(t){i=null}'],
  ],
  'lit-element/lit-element.js': [
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
