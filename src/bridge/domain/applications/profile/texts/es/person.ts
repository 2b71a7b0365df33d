import type { FieldTexts, PersonTexts } from '../texts.js';

const address = {
  street: {
    label: 'Calle y número',
    missing: 'Escriba la calle y el número',
    problems: { postOfficeBox: 'Escriba dónde vive: un apartado postal no basta' },
  },
  line2: {
    label: 'Apartamento, oficina o unidad',
    missing: '',
    problems: {
      wrong: 'Escriba el apartamento, la oficina o la unidad en una línea',
      postOfficeBox: 'Quite el apartado postal: puede ser su dirección postal',
    },
  },
  city: { label: 'Ciudad o localidad', missing: 'Escriba la ciudad o localidad' },
  abroad: {
    label: '¿Dónde está esta dirección?',
    missing: 'Elija dónde está esta dirección',
    problems: { refused: 'Escriba una dirección en los Estados Unidos. No acepta otras: {states}' },
    choices: { us: 'En los Estados Unidos', abroad: 'En otro país' },
  },
  state: { label: 'Estado', missing: 'Elija el estado' },
  zip: {
    label: 'Código postal (ZIP)',
    missing: 'Escriba un código ZIP de 5 dígitos, como 78701, o de 5\u00a0y\u00a04',
  },
  country: { label: 'País', missing: 'Elija un país' },
  region: { label: 'Provincia o región', missing: '' },
  postalCode: { label: 'Código postal', missing: '' },
} satisfies Record<string, FieldTexts>;

const phone = 'Escriba un número de teléfono con código de área, como 512\u00a0555\u00a00100';
const usPhone = 'Escriba un número de teléfono de los Estados Unidos, de 10 dígitos. No acepta otros: {states}';

const npn = 'Escriba el NPN con 1 a 10 dígitos, o déjelo vacío';

/** The texts about the person, in Spanish. */
export const person: PersonTexts = {
  names: {
    title: 'Su nombre',
    lead: 'Como figura en su licencia de conducir o pasaporte.',
    fields: {
      firstName: { label: 'Nombre', missing: 'Escriba su nombre' },
      middleName: { label: 'Segundo nombre', missing: '' },
      lastName: { label: 'Apellido', missing: 'Escriba su apellido' },
      suffix: { label: 'Sufijo', hint: 'Por ejemplo Jr, Sr o III.', missing: '' },
      otherNames: {
        label: 'Otros nombres que ha usado',
        hint: 'Por ejemplo el apellido de soltera u otra ortografía. Un nombre por línea.',
        missing: '',
        problems: { wrong: 'Escriba como máximo 20 nombres, uno por línea, de 100 caracteres como máximo' },
      },
    },
  },
  about: {
    title: 'Sobre usted',
    fields: {
      dateOfBirth: {
        label: 'Fecha de nacimiento',
        hint: 'Por ejemplo, 27\u00a0de\u00a0marzo de\u00a01985.',
        missing: 'Escriba su fecha de nacimiento',
        problems: {
          wrong: 'Escriba su fecha de nacimiento como mes, día y año, por ejemplo 27\u00a0de\u00a0marzo de\u00a01985',
          age: 'Debe tener al menos 18 años para presentar la solicitud',
        },
      },
      gender: {
        label: 'Género',
        hint: 'Algunos estados lo tienen en sus registros. No está obligado a responder.',
        missing: '',
        choices: { female: 'Femenino', male: 'Masculino', other: 'Otro' },
      },
      npn: {
        label: 'Número nacional de productor (NPN)',
        hint: 'Déjelo vacío si es su primera licencia.',
        missing: '',
        problems: { wrong: npn },
      },
      crd: {
        label: 'Número de FINRA (CRD)',
        hint: 'Solo si vende valores.',
        missing: '',
        problems: { wrong: 'Escriba su número CRD con 1 a 10 dígitos, o déjelo vacío' },
      },
    },
  },
  contact: {
    title: 'Cómo comunicarnos con usted',
    lead: 'Los departamentos escriben primero, y llaman solo cuando algo no está claro.',
    fields: {
      email: {
        label: 'Correo electrónico',
        missing: 'Escriba una dirección de correo electrónico, como nombre@example.com',
      },
      phone: {
        label: 'Teléfono de casa o móvil',
        hint: 'Con código de área.',
        missing: phone,
        problems: { refused: usPhone },
      },
      businessEmail: {
        label: 'Correo electrónico del trabajo',
        missing: '',
        problems: {
          wrong: 'Escriba una dirección de correo electrónico, como nombre@example.com, o déjela vacía',
          required: 'Escriba un correo electrónico del trabajo. Lo exige: {states}',
        },
      },
      businessPhone: {
        label: 'Teléfono del trabajo',
        missing: '',
        problems: {
          wrong: `${phone}, o déjelo vacío`,
          required: 'Escriba un teléfono del trabajo. Lo exige: {states}',
          refused: usPhone,
        },
      },
    },
  },
  home: { title: 'Dirección de su casa', lead: 'Donde usted vive. Un apartado postal no basta.', fields: address },
  business: {
    title: 'Dirección del trabajo',
    lead: 'Los estados pueden publicar esta dirección.',
    fields: {
      which: {
        label: '¿Dónde trabaja?',
        missing: 'Elija la dirección de su trabajo',
        problems: { required: 'Elija una dirección del trabajo. La exige: {states}' },
        choices: {
          home: 'En la dirección de mi casa',
          other: 'En otra dirección',
          none: 'Todavía no tengo un lugar de trabajo',
        },
      },
      ...address,
      street: {
        ...address.street,
        problems: { refused: 'Escriba la calle y el número. No acepta un apartado postal: {states}' },
      },
      line2: {
        ...address.line2,
        problems: { ...address.line2.problems, refused: 'Quite el apartado postal. No lo acepta: {states}' },
      },
    },
  },
  mailing: {
    title: 'Dirección postal',
    lead: 'Adonde los estados envían cartas y licencias.',
    fields: {
      which: {
        label: '¿Adónde debe ir el correo?',
        missing: 'Elija su dirección postal',
        choices: {
          home: 'A la dirección de mi casa',
          business: 'A la dirección de mi trabajo',
          other: 'A otra dirección',
        },
      },
      ...address,
    },
  },
  citizenship: {
    title: 'Ciudadanía',
    fields: {
      citizen: {
        label: '¿Es ciudadano de los Estados Unidos?',
        missing: 'Elija si es ciudadano de los Estados Unidos',
        choices: { us: 'Sí, de los Estados Unidos', other: 'No, de otro país' },
      },
      country: { label: 'País de ciudadanía', missing: 'Elija su país de ciudadanía' },
    },
  },
  work: {
    title: 'Permiso de trabajo',
    lead: 'El documento que le permite trabajar en los Estados Unidos.',
    fields: {
      document: {
        label: '¿Qué documento tiene?',
        missing: 'Elija su documento',
        choices: {
          resident: 'Tarjeta de residente permanente (green card)',
          authorization: 'Autorización de empleo',
          visa: 'Una visa que permite trabajar',
        },
      },
      number: { label: 'Número del documento', missing: 'Escriba el número que figura en el documento' },
      expires: {
        label: 'Válido hasta',
        hint: 'Déjelo vacío si no vence.',
        missing: '',
        problems: {
          wrong: 'Escriba la fecha como mes, día y año, por ejemplo 3\u00a027\u00a02030',
          past: 'Este documento ha vencido. Escriba uno que sea válido',
        },
      },
    },
  },
};
