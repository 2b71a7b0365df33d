import type { Language } from '../../contract/index.js';

const en = {
  new: 'New license',
  renewal: 'Renewal',
  reinstatement: 'Reinstatement',
  amendment: 'Change of a license',
  life_health: 'Life and health',
  life: 'Life',
  health: 'Health',
  property_casualty: 'Property and casualty',
  property: 'Property',
  casualty: 'Casualty',
  personal_lines: 'Personal lines',
  life_variable: 'Life and variable products',
  surplus_lines: 'Surplus lines',
  adjuster: 'Independent adjuster',
  public_adjuster: 'Public adjuster',
  title: 'Title',
  bail: 'Bail bonds',
  travel: 'Travel',
  credit: 'Credit',
  crop: 'Crop',
  consultant: 'Insurance consultant',
};

const es: typeof en = {
  new: 'Licencia nueva',
  renewal: 'Renovación',
  reinstatement: 'Rehabilitación',
  amendment: 'Cambio de una licencia',
  life_health: 'Vida y salud',
  life: 'Vida',
  health: 'Salud',
  property_casualty: 'Propiedad y responsabilidad civil',
  property: 'Propiedad',
  casualty: 'Responsabilidad civil',
  personal_lines: 'Líneas personales',
  life_variable: 'Vida y productos variables',
  surplus_lines: 'Líneas excedentes',
  adjuster: 'Ajustador independiente',
  public_adjuster: 'Ajustador público',
  title: 'Títulos de propiedad',
  bail: 'Fianzas judiciales',
  travel: 'Viajes',
  credit: 'Crédito',
  crop: 'Cosechas',
  consultant: 'Consultor de seguros',
};

/** The names of application and license types, by their slugs. */
export const typeNames: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, es };

/**
 * The name of an application or license type. The catalogue of an operator can have other types: a
 * slug without a name is shown as text, `legal_services` as "Legal services".
 */
export function typeName(slug: string, language: Language): string {
  const { [language]: names } = typeNames;
  if (Object.hasOwn(names, slug)) return names[slug] ?? slug;
  const words = slug.replace(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
