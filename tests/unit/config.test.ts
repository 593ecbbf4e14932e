// Settings: defaults for missing ones; a wrong one stops the start with its name and an example.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#contract/site-settings.ts'
import { ConfigError, readConfig } from '#server/core/config.ts'
import { encryptionOf } from '#server/core/encryption.ts'
import { findJsonProblem } from '#server/core/json-problem.ts'
import { beginKeyReplacement, endKeyReplacement, secretsFile, withSecrets } from '#server/core/secrets.ts'
import { readSiteFile, withLockedValues } from '#server/core/site.ts'
import { seed } from '#tests/helpers/random.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'mobiliza-config-'))

describe('the environment', () => {
  test('no setting at all is a complete configuration', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      trustProxy: false,
    })
  })

  test('an empty setting counts as missing', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: undefined })
  })

  const wrong: Record<string, string> = {
    PORT: 'oitenta',
    HOST: 'um host',
    PUBLIC_URL: 'mobiliza.example.org',
    DATABASE_URL: 'mysql://x',
    DATABASE_DIRECT_URL: 'x',
    DATA_KEY: 'curta',
    DATA_KEY_PREVIOUS: 'curta',
    BACKUP_KEY: 'curta',
    SITE_FILE: './nao-existe.json',
    ADMIN_USERNAME: 'com espaço',
    ADMIN_PASSWORD: 'curta',
    ADMIN_EMAIL: 'sem-arroba',
    DELIVERIES: 'talvez',
    SMTP_URL: 'http://x',
    EMAIL_FROM: 'sem-arroba',
    EMAILS_PER_MINUTE: '0',
    KEEP_SIGNATURES_DAYS: '29',
    KEEP_VOLUNTEERS_DAYS: '0',
    KEEP_INFLUENCERS_DAYS: 'um ano',
    KEEP_LEADERS_DAYS: '-730',
    RETENTION_DAYS: '29',
    GOOGLE_SHEETS_ID: 'x',
    GOOGLE_SERVICE_ACCOUNT: './nao-existe.json',
    BOTCONVERSA_WEBHOOK_TOKEN: 'curto',
    TRUST_PROXY: '10.0.0.0/99',
    SERVICE_WORKER: 'talvez',
    LOG_LEVEL: 'alto',
    DKIM_DOMAIN: 'um domínio',
    DKIM_SELECTOR: 'um seletor',
    DKIM_KEY_FILE: './nao-existe.pem',
  }
  test.each(Object.entries(wrong))('%s=%s stops the start, with its name and an example', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name} não foi aceita. Exemplo: ${name}=`))
  })

  test('all wrong settings are reported at once', () => {
    expect(() => readConfig(wrong)).toThrow(new RegExp(Object.keys(wrong).join('[^]*')))
  })

  const weakKeys: Record<string, Buffer | string> = {
    'equal bytes': Buffer.alloc(32, 7),
    'few different bytes': Buffer.from('0102030405060708090a0b0c0d0e0f'.repeat(3), 'hex').subarray(0, 32),
    'half a key, twice': Buffer.from('c0ffee12a7315b9d04e6788f2ab43d51'.repeat(2), 'hex'),
    'a sequence': Buffer.from(Array.from({ length: 32 }, (_, index) => index + 1)),
    'a sequence downwards': Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - 7 * index)),
    'words as bytes': Buffer.from('Uma frase secreta de 32 letras!?'),
    'words with accents as bytes': Buffer.from('Coração não é só de 32 byt!'),
    'a word as base64': 'mobiliza'.repeat(6).slice(0, 43),
    'words as base64': 'minha/chave/secreta/que/ninguem/vai/saber00',
  }
  test.each(Object.entries(weakKeys))('a DATA_KEY of %s stops the start, with the command to create one', (_, key) => {
    const dataKey = typeof key === 'string' ? `${key}=` : key.toString('base64')
    expect(Buffer.from(dataKey, 'base64')).toHaveLength(32)
    expect(() => readConfig({ DATA_KEY: dataKey })).toThrow(/DATA_KEY tem uma chave fraca .* openssl rand -base64 32/)
    expect(() => readConfig({ BACKUP_KEY: dataKey })).toThrow('BACKUP_KEY tem uma chave fraca')
    const config = readConfig({ DATA_DIR: folder() })
    const secrets = { DATA_KEY: dataKey, ADMIN_PASSWORD: 'x', BOTCONVERSA_WEBHOOK_TOKEN: 'x' }
    writeFileSync(secretsFile(config), JSON.stringify(secrets))
    expect(() => withSecrets(config)).toThrow(/segredos\.json tem uma chave fraca/)
  })

  test('a random DATA_KEY is never called weak', () => {
    for (let n = 0; n < 5_000; n += 1) readConfig({ DATA_KEY: randomBytes(32).toString('base64') })
  })

  test.each(['smtp://mail.example.org?tls=sim', 'smtp://mail.example.org?tls=no', 'smtps://mail.example.org?tls=nao'])(
    'SMTP_URL=%s is refused: only smtp with tls=nao goes without encryption',
    (url) => {
      expect(() => readConfig({ SMTP_URL: url })).toThrow('SMTP_URL não foi aceita')
    },
  )

  test('a direct address without a pooled one, or a spreadsheet without an account, is refused', () => {
    expect(() => readConfig({ DATABASE_DIRECT_URL: 'postgres://localhost/x' })).toThrow('junto com DATABASE_URL')
    expect(() => readConfig({ GOOGLE_SHEETS_ID: 'planilha-ficticia' })).toThrow('GOOGLE_SERVICE_ACCOUNT')
  })

  test('an SMTP server without a sender, or an incomplete DKIM signature, is refused', () => {
    expect(() => readConfig({ SMTP_URL: 'smtp://localhost' })).toThrow('EMAIL_FROM')
    expect(() => readConfig({ SMTP_URL: 'smtp://localhost', EMAIL_FROM: 'nao-responda@example.org' })).toThrow(
      'PUBLIC_URL',
    )
    expect(() => readConfig({ DKIM_DOMAIN: 'example.org' })).toThrow('os três juntos')
  })
})

describe('site settings', () => {
  const siteFile = (content: string) => {
    const file = join(folder(), 'site.json')
    writeFileSync(file, content)
    return file
  }

  test('without a file they are the defaults', () => {
    expect(readSiteFile(undefined)).toEqual({ settings: defaultSettings, locked: [] })
  })

  test('a file changes only the settings that it contains', () => {
    const { settings } = readSiteFile(siteFile('{"movimento": "Outro", "deputado": {"slug": "beltrano"}}'))
    expect(settings).toEqual({
      ...defaultSettings,
      movimento: 'Outro',
      deputado: { slug: 'beltrano', nome: 'Fulano de Tal' },
    })
  })

  test('a group is one link, a list of links, or a list that says which groups are full', () => {
    const link = (name: string) => `https://example.org/${name}`
    const grupos = {
      geral: link('um'),
      criadores: [link('dois'), { link: link('tres'), cheio: true }],
      campanhas: { juros: link('quatro') },
      estados: { SP: [{ link: link('cinco') }] },
    }
    const { settings } = readSiteFile(siteFile(JSON.stringify({ grupos })))
    expect(settings.grupos).toEqual({
      ...defaultSettings.grupos,
      geral: [{ link: link('um'), cheio: false }],
      criadores: [
        { link: link('dois'), cheio: false },
        { link: link('tres'), cheio: true },
      ],
      campanhas: { juros: [{ link: link('quatro'), cheio: false }] },
      estados: { SP: [{ link: link('cinco'), cheio: false }] },
    })
  })

  test('locked settings have the value of the file, whatever is saved', () => {
    const travados = ['contato.email', 'grupos.estados.SP', 'grupos.estados.RJ']
    const estados = { SP: 'https://example.org/sp' }
    const file = readSiteFile(
      siteFile(JSON.stringify({ travados, contato: { email: 'fixo@example.org' }, grupos: { estados } })),
    )
    expect(file.locked).toEqual(travados)
    const other = [{ link: 'https://example.org/outro', cheio: false }]
    const saved = {
      ...defaultSettings,
      movimento: 'Salvo',
      grupos: { ...defaultSettings.grupos, estados: { SP: other, RJ: other, MG: other } },
    }
    expect(withLockedValues(saved, file)).toEqual({
      ...saved,
      contato: { ...saved.contato, email: 'fixo@example.org' },
      grupos: { ...saved.grupos, estados: { SP: [{ link: 'https://example.org/sp', cheio: false }], MG: other } },
    })
  })

  test.each([
    ['{"movimnto": "x"}', 'chave desconhecida: movimnto'],
    ['{"grupos": {"gerl": "https://example.org"}}', 'chave desconhecida: grupos.gerl'],
    ['{"grupos": {"geral": "javascript:alert(1)"}}', 'grupos.geral precisa começar com https://'],
    ['{"grupos": {"geral": []}}', 'grupos.geral precisa de pelo menos um link'],
    ['{"grupos": {"geral": 3}}', 'grupos.geral precisa ser um endereço, ou uma lista deles'],
    ['{"grupos": {"estados": {"XX": "https://example.org"}}}', 'chave desconhecida: grupos.estados.XX'],
    ['{"grupos": {"campanhas": {"Com Espaço": "https://example.org"}}}', 'precisa ser o endereço de uma campanha'],
    [
      '{"menu": [{"texto": "x", "endereco": "//fora.example", "oculto": false}]}',
      'menu.0.endereco precisa começar com /',
    ],
    ['{"travados": "menu"}', 'travados precisa ser uma lista'],
    ['{"travados": ["contato.fax", "menu"]}', 'travados tem nome desconhecido: contato.fax'],
    ['{"deputado": {"slug": "Com Espaço"}}', 'deputado.slug aceita só letras minúsculas'],
    ['{"botconversa": {"empresa": "com espaço"}}', 'botconversa.empresa aceita só letras'],
    ['{"botconversa": {}}', 'botconversa.empresa precisa ser um texto'],
    ['{"contato": {"email": 3}}', 'contato.email precisa ser um texto'],
    ['{"contato": {"whatsapp": "11987654321"}}', 'contato.whatsapp precisa começar com o código do país'],
    ['{"contato": "x"}', 'contato precisa ser um objeto, entre { e }'],
    ['[]', 'o arquivo precisa ser um objeto, entre { e }'],
    ['{', 'não é um arquivo JSON válido'],
  ])('%s stops the start with the reason', (content, reason) => {
    expect(() => readSiteFile(siteFile(content))).toThrow(reason)
  })

  test.each([
    ['{\n  "movimento": "Outro",\n}', 3, 1, 'há uma vírgula sobrando antes de }'],
    ['{\n  "movimento": "Outro", "x": [1,]\n}', 2, 33, 'há uma vírgula sobrando antes de ]'],
    ['{\n  movimento: "Outro"\n}', 2, 3, 'isto não foi entendido: chaves e textos ficam entre aspas duplas'],
    ['{\r\n  "movimento": Outro\r\n}', 2, 16, 'isto não foi entendido: chaves e textos ficam entre aspas duplas'],
    ['{\n  "movimento": "Outro\n}', 2, 16, 'as aspas abertas aqui não foram fechadas na mesma linha'],
    ['{\n  “movimento”: "Outro"\n}', 2, 3, 'use aspas duplas retas (")'],
    ['{\n  "movimento": "Outro"\n  "lema": "x"\n}', 3, 3, 'falta uma vírgula antes daqui'],
    ['{\n  "movimento" "Outro"\n}', 2, 15, 'faltam dois-pontos (:) entre a chave e o valor'],
    ['{\n  // nomes\n  "lema": "x"\n}', 2, 3, 'comentários não são aceitos'],
    ['{\n  "lema": "C:\\x"\n}', 2, 11, 'este texto tem um caractere que não é aceito: no lugar de \\ escreva \\\\'],
    ['{\n  "lema": "x"\n} {}', 3, 3, 'há texto depois do fim'],
    ['{\n  "deputado": {\n    "slug": "beltrano"\n', 4, 1, 'o arquivo acaba antes do fim'],
    ['{\n  "deputado":\n', 3, 1, 'o arquivo acaba antes do fim'],
    ['\uFEFF{"lema": "x",}', 1, 14, 'há uma vírgula sobrando antes de }'],
    ['', 1, 1, 'o arquivo está vazio'],
  ])('%j is not JSON: line %i, column %i, and the reason', (content, line, column, reason) => {
    expect(() => readSiteFile(siteFile(content))).toThrow(
      `site.json não é um arquivo JSON válido. Linha ${line}, coluna ${column}: ${reason}`,
    )
  })

  test('a byte order mark is accepted, another encoding is named', () => {
    expect(readSiteFile(siteFile('\uFEFF{"movimento": "Ação"}')).settings.movimento).toBe('Ação')
    const file = siteFile('')
    for (const encoding of ['latin1', 'utf16le'] as const) {
      writeFileSync(file, '\uFEFF{"movimento": "Ação"}'.slice(encoding === 'latin1' ? 1 : 0), encoding)
      expect(() => readSiteFile(file)).toThrow('não está em UTF-8')
    }
    expect(() => readSiteFile(folder())).toThrow('SITE_FILE: não foi possível ler')
  })

  test('any damaged text is reported with a position inside of it', () => {
    const damaged = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', ',', '"', '{', ']', ':', '\\', '\n', '\u0001', 'x'),
      )
      .map(([text, at, inserted]) => text.slice(0, at % text.length) + inserted + text.slice((at % text.length) + 1))
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (text) => {
        const { line, column, reason } = findJsonProblem(text)
        expect(reason).not.toBe('')
        expect(Math.min(line, column)).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(text.split(/\r\n|\n|\r/).length)
        expect(column).toBeLessThanOrEqual(text.length + 1)
      }),
      { numRuns: 2_000, seed },
    )
  })
})

describe('secrets', () => {
  test('are generated once, readable only by the owner, and stay the same', () => {
    const config = readConfig({ DATA_DIR: folder() })
    const first = withSecrets(config)
    const second = withSecrets(config)

    expect(second).toEqual(first)
    expect(Buffer.from(first.dataKey ?? '', 'base64')).toHaveLength(32)
    expect(first.admin.password).toMatch(/^(\w{5}-){3}\w{5}$/)
    expect(statSync(secretsFile(config)).mode & 0o777).toBe(0o600)
  })

  test('set by the operator are never replaced', () => {
    const config = readConfig({ DATA_DIR: folder(), ADMIN_PASSWORD: 'escolhida-por-mim' })
    expect(withSecrets(config).admin.password).toBe('escolhida-por-mim')
  })

  test('follow the file while a key is replaced, and an interrupted replacement is continued', () => {
    const config = withSecrets(readConfig({ DATA_DIR: folder() }))
    const file = secretsFile(config)
    const running = encryptionOf(config)
    const [first = Buffer.of()] = [running?.encrypt('x', 'a')]

    beginKeyReplacement(file)
    const begun = readFileSync(file, 'utf8')
    beginKeyReplacement(file)
    expect(readFileSync(file, 'utf8')).toBe(begun)
    expect(JSON.parse(begun)).toMatchObject({ DATA_KEY_PREVIOUS: config.dataKey })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const second = running?.encrypt('x', 'a') ?? Buffer.of()
    expect(second.subarray(0, 5)).not.toEqual(first.subarray(0, 5))
    for (const encrypted of [first, second]) {
      expect(running?.decrypt(encrypted, 'a')).toBe('x')
      expect(encryptionOf(withSecrets(readConfig({ DATA_DIR: config.dataDir })))?.decrypt(encrypted, 'a')).toBe('x')
    }

    endKeyReplacement(file)
    const started = encryptionOf(withSecrets(readConfig({ DATA_DIR: config.dataDir })))
    expect(started?.decrypt(second, 'a')).toBe('x')
    expect(() => started?.decrypt(first, 'a')).toThrow()
    rmSync(file)
    expect(running?.decrypt(second, 'a')).toBe('x')
  })

  test('in a damaged file stop the start, and the file is not changed', () => {
    const config = readConfig({ DATA_DIR: folder() })
    for (const damaged of ['{"DATA_KEY": ', '{}', 'null']) {
      writeFileSync(secretsFile(config), damaged)
      expect(() => withSecrets(config)).toThrow('corrompido')
      expect(readFileSync(secretsFile(config), 'utf8')).toBe(damaged)
    }
  })
})
