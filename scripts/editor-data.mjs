import fs from 'node:fs';
import { join } from 'node:path';
import { generateJetBrainsWebTypes } from 'custom-element-jet-brains-integration';
import { generateVsCodeCustomElementData } from 'custom-element-vs-code-integration';

/**
 * Writes the data that editors use for completion and hovers: `html.json` and `css.json` for VS
 * Code, `web-types.json` for JetBrains. Reads `custom-elements.json` in the same folder.
 * @param {string} folder
 */
export function writeEditorData(folder) {
  const manifest = JSON.parse(fs.readFileSync(join(folder, 'custom-elements.json'), 'utf8'));
  generateVsCodeCustomElementData(manifest, {
    outdir: folder,
    htmlFileName: 'html.json',
    cssFileName: 'css.json',
    hideLogs: true,
  });
  generateJetBrainsWebTypes(manifest, {
    outdir: folder,
    webTypesFileName: 'web-types.json',
    packageJson: false,
    hideLogs: true,
  });
}
