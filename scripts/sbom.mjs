import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Writes the SBOM (CycloneDX) of the package in a folder, by the versions of the lock file, and
 * returns its path. `npm sbom` describes the root and its workspaces as one product, so it runs
 * with the manifest of one package in a folder with its name.
 */
export function writeSbom(folder, target) {
  const { workspaces, devDependencies, ...manifest } = JSON.parse(
    fs.readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  // The development dependencies of the bridge are copied into its package, those of the root are
  // not.
  const described = workspaces ? manifest : { ...manifest, devDependencies };
  const temporary = fs.mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const cwd = join(temporary, manifest.name);
    fs.mkdirSync(cwd);
    fs.writeFileSync(join(cwd, 'package.json'), JSON.stringify(described));
    fs.copyFileSync('package-lock.json', join(cwd, 'package-lock.json'));
    // Removes from the lock file what this package does not depend on.
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit'], { cwd });
    const bom = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], { cwd });
    fs.mkdirSync(target, { recursive: true });
    const path = join(target, `${manifest.name}-${manifest.version}.cdx.json`);
    fs.writeFileSync(path, bom);
    return path;
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}
