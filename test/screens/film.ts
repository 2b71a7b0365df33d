import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Joins the pictures of a folder, in the order of their names, to the film `tour.webp`, which pages
 * of documentation show like a picture: at most 200 kB. Returns its path; `undefined` without
 * ffmpeg.
 */
export function makeFilm(folder: string): string | undefined {
  const film = join(folder, 'tour.webp');
  const pictures = ['-framerate', '0.4', '-pattern_type', 'glob', '-i', join(folder, '*.png')];
  const form = ['-vf', 'scale=840:-1:flags=lanczos', '-c:v', 'libwebp_anim', '-quality', '45', '-loop', '0'];
  const { error, status, stderr } = spawnSync('ffmpeg', ['-y', ...pictures, ...form, film], { encoding: 'utf8' });
  if (error) return undefined;
  if (status !== 0) throw new Error(`ffmpeg ended with ${String(status)}: ${stderr.slice(-500)}`);
  return film;
}
