// Image uploads: formats of valid images, and refusals of all others.
import { connect } from 'node:net'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aHeavyPicture, animatedPng, aPicture, flatPng, imageForm, packedComment } from '#tests/helpers/pictures.ts'
import { seed } from '#tests/helpers/random.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
  admin = await enter(site)
})
afterAll(() => site.close())

interface StoredImage {
  success: boolean
  imagemUrl: string
  largura: number
  altura: number
}

const path = '/api/admin/imagens'
const upload = (file: Buffer) => admin.call('POST', path, imageForm(file))
const uploadValid = (file: Buffer) => admin.ask<StoredImage>('POST', path, imageForm(file))
const bytesOf = async (url: string) => Buffer.from(await (await fetch(site.url + url)).arrayBuffer())
const storedCount = async () => (await site.rows<{ n: number }>('select count(*)::int as n from media'))[0]?.n

async function expectRefusal(answer: Response, status: number, message: RegExp) {
  const text = await answer.text()
  expect(answer.status, text).toBe(status)
  expect(JSON.parse(text)).toMatchObject({ success: false, message: expect.stringMatching(message) })
  expect(text).not.toMatch(/node_modules|\bat \w+ |FST_|vips|busboy|Multipart/i)
}

describe('a valid image', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('%s is stored in the sizes of the page and as PNG', async (format) => {
    const reply = await uploadValid(await aPicture(format, { width: 1200, height: 900 }))

    expect(reply).toEqual({
      success: true,
      imagemUrl: expect.stringMatching(/^\/media\/[0-9a-f]{64}\.webp$/),
      largura: 1080,
      altura: 810,
    })
    expect(await sharp(await bytesOf(reply.imagemUrl)).metadata()).toMatchObject({ format: 'webp', width: 1080 })
    const small = await bytesOf(reply.imagemUrl.replace('.webp', '.640.webp'))
    expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 640 })
    const png = await bytesOf(reply.imagemUrl.replace('.webp', '.png'))
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1080 })
  })

  test('is set upright and loses its metadata', async () => {
    const photo = await sharp(await aPicture('jpeg', { width: 60, height: 40 }))
      .withExif({ IFD0: { Copyright: 'Fulano Fotógrafo' }, IFD3: { GPSLatitude: '23/1 33/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()

    const reply = await uploadValid(photo)

    expect(reply).toMatchObject({ largura: 40, altura: 60 })
    for (const format of ['.webp', '.640.webp', '.png']) {
      const { exif, orientation } = await sharp(await bytesOf(reply.imagemUrl.replace('.webp', format))).metadata()
      expect({ exif, orientation }).toEqual({})
    }
  })

  test('of almost five megabytes or eight thousand pixels is stored', { tags: ['slow'] }, async () => {
    const [heavy, long] = [await aHeavyPicture({ width: 1300, height: 1250 }), flatPng(8_000, 3_000)]
    expect(heavy.length).toBeGreaterThan(4_500_000)
    expect(await uploadValid(heavy)).toMatchObject({ largura: 1080 })
    expect(await uploadValid(long)).toMatchObject({ largura: 1080, altura: 405 })
  })

  test('with an appended film, as from some phones, is stored without the film', async () => {
    const film = Buffer.from('ftypmp42 <script>alert(1)</script> PK\x03\x04', 'latin1')
    const reply = await uploadValid(Buffer.concat([await aPicture('jpeg'), film]))
    for (const format of ['.webp', '.640.webp', '.png']) {
      expect((await bytesOf(reply.imagemUrl.replace('.webp', format))).includes('script')).toBe(false)
    }
  })

  test('sent twice is stored once, and both uploads are in the audit log', async () => {
    const file = await aPicture()
    const first = await uploadValid(file)
    const before = await storedCount()
    expect(await uploadValid(file)).toEqual(first)
    expect(await storedCount()).toBe(before)
    expect(await site.rows('select action from admin_actions where target = $1', [first.imagemUrl])).toEqual([
      { action: 'Enviou imagem' },
      { action: 'Enviou imagem' },
    ])
  })

  test('that nothing uses is deleted after a day, and one that a campaign shows stays', async () => {
    const [unused, shown, inText] = [
      await uploadValid(await aPicture()),
      await uploadValid(await aPicture()),
      await uploadValid(await aPicture()),
    ]
    await site.rows(`update campaigns set "heroImageUrl" = $1 where slug = 'juros'`, [shown.imagemUrl])
    await site.rows(`update campaigns set "manifestoHtml" = $1 where slug = 'juros'`, [
      `<img src="${inText.imagemUrl}">`,
    ])
    await site.rows(`update media set "reservedUntil" = now() - interval '1 minute' where "reservedUntil" is not null`)

    await uploadValid(await aPicture())

    const left = await site.rows<{ sha256: string }>('select distinct sha256 from media')
    const isStored = ({ imagemUrl }: StoredImage) => left.some(({ sha256 }) => imagemUrl.includes(sha256))
    expect([unused, shown, inText].map(isStored)).toEqual([false, true, true])
  })
})

describe('a refused image is not stored', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const format = /^Formato não aceito/
  const broken = /danificado ou incompleto/
  const half = (file: Buffer) => file.subarray(0, Math.floor(file.length / 2))
  const heavy = () => aHeavyPicture({ width: 400, height: 400 })

  const files: [name: string, file: () => Buffer | Promise<Buffer>, status: number, message: RegExp][] = [
    ['an SVG', () => Buffer.from(svg), 415, format],
    ['an SVG behind a byte order mark', () => Buffer.from(`\uFEFF<?xml version="1.0"?>${svg}`), 415, format],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 415, format],
    ['a GIF that is also a script', () => Buffer.from('GIF89a/*\u0000*/=1;alert(1)'), 415, format],
    ['a PDF', () => Buffer.from('%PDF-1.7\n'), 415, format],
    [
      'a TIFF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .tiff()
          .toBuffer(),
      415,
      format,
    ],
    [
      'an AVIF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .avif()
          .toBuffer(),
      415,
      format,
    ],
    ['one byte', () => Buffer.from('x'), 415, format],
    [
      'a page that begins like a JPEG',
      () => Buffer.from('\xff\xd8\xff<script>alert(1)</script>', 'latin1'),
      400,
      broken,
    ],
    [
      'a page that begins like a PNG',
      () => Buffer.from('\x89PNG\r\n\x1a\n<script>alert(1)</script>', 'latin1'),
      400,
      broken,
    ],
    ['a page that begins like a WebP', () => Buffer.from('RIFF\x11\0\0\0WEBP<script>alert', 'latin1'), 400, broken],
    ['a WebP of no length at all', () => Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'), 400, broken],
    [
      'a PNG that is also an archive',
      async () => Buffer.concat([await aPicture(), Buffer.from('PK\x05\x06')]),
      400,
      /mais do que uma imagem/,
    ],
    [
      'a WebP that is also a page',
      async () => Buffer.concat([await aPicture('webp'), Buffer.from('<script></script>')]),
      400,
      /mais do que uma imagem/,
    ],
    ['half a PNG', async () => half(await heavy()), 400, broken],
    [
      'half a PNG with an end',
      async () => Buffer.concat([half(await heavy()), flatPng(1, 1).subarray(-12)]),
      400,
      broken,
    ],
    [
      'half a JPEG',
      async () =>
        half(
          await sharp(await heavy())
            .jpeg()
            .toBuffer(),
        ),
      400,
      broken,
    ],
    [
      'half a WebP',
      async () =>
        half(
          await sharp(await heavy())
            .webp()
            .toBuffer(),
        ),
      400,
      broken,
    ],
    ['a sheet of 14,000 × 14,000', () => flatPng(14_000, 14_000), 413, /25 megapixels/],
    ['a sheet of 2 thousand million pixels a side', () => flatPng(1, 1).fill(0x7f, 16, 24), 400, broken],
    ['a strip of 8,001 pixels', () => flatPng(8_001, 10), 413, /8\.000 pixels/],
    ['an upright strip of 8,001 pixels', () => flatPng(10, 8_001), 413, /8\.000 pixels/],
    ['5,010 × 5,010', () => flatPng(5_010, 5_010), 413, /25 megapixels/],
    ['5,000 pictures in one PNG', () => animatedPng(5_000), 400, /animadas/],
    [
      'an animated WebP',
      async () =>
        sharp([await aPicture(), await aPicture()], { join: { animated: true } })
          .webp()
          .toBuffer(),
      400,
      /animadas/,
    ],
    [
      'six megabytes',
      () => Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(6 * 1024 * 1024)]),
      413,
      /passa de 5 MB/,
    ],
    ['nothing', () => Buffer.alloc(0), 400, /^Selecione uma imagem/],
  ]

  test.each(files)('%s', async (_, make, status, message) => {
    const file = await make()
    const before = await storedCount()
    const answer = await upload(file)
    await expectRefusal(answer, status, message)
    expect(await storedCount()).toBe(before)
  })

  test('and refusals leave no memory allocated', { tags: ['slow'] }, async () => {
    const bombs = [
      flatPng(14_000, 14_000),
      animatedPng(5_000),
      flatPng(10, 10, [packedComment(150 * 1024 * 1024)]),
      flatPng(10, 10, [], [packedComment(150 * 1024 * 1024)]),
    ]
    await upload(bombs[1] as Buffer)
    global.gc?.()
    const before = process.memoryUsage().rss
    let maxRss = before
    const watch = setInterval(() => {
      maxRss = Math.max(maxRss, process.memoryUsage().rss)
    }, 5)
    for (let round = 0; round < 3; round += 1)
      for (const bomb of bombs) expect((await upload(bomb)).status).toBeLessThan(500)
    clearInterval(watch)
    expect((maxRss - before) / 1024 / 1024).toBeLessThan(100)
  })
})

describe('invalid forms', () => {
  const boundary = 'xYzZy'
  const part = (headers: string, body = 'x') => `--${boundary}\r\n${headers}\r\n\r\n${body}\r\n`
  const field = (name: string, body?: string) => part(`Content-Disposition: form-data; name="${name}"`, body)
  const file = (name: string, body?: string) =>
    part(`Content-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png`, body)
  const end = `--${boundary}--\r\n`

  const send = (body: string | Uint8Array, type = `multipart/form-data; boundary=${boundary}`) =>
    fetch(site.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, ...(type && { 'content-type': type }) },
      body: body as BodyInit,
    })

  const incomplete = /chegou incompleto/
  const forms: [name: string, body: string, status: number, message: RegExp, type?: string][] = [
    ['no boundary', file('imagem') + end, 400, incomplete, 'multipart/form-data'],
    ['another boundary', file('imagem') + end, 400, incomplete, 'multipart/form-data; boundary=outro'],
    ['no end', file('imagem').slice(0, -2), 400, incomplete],
    ['an end in the middle of a header', `--${boundary}\r\nContent-Disposition: form-da`, 400, incomplete],
    ['an empty body', '', 400, /^Selecione uma imagem/],
    ['an end and nothing else', end, 400, /^Selecione uma imagem/],
    ['two files', file('imagem') + file('imagem') + end, 400, incomplete],
    ['a file of another name', file('foto') + end, 400, /^Selecione uma imagem/],
    ['the image as text', field('imagem', 'data:image/png;base64,AAAA') + end, 400, /^Selecione uma imagem/],
    ['two hundred fields', Array.from({ length: 200 }, (_, n) => field(`c${n}`)).join('') + end, 400, incomplete],
    ['21 fields and no end', Array.from({ length: 21 }, (_, n) => field(`c${n}`)).join(''), 400, incomplete],
    ['1,500 fields and no end', Array.from({ length: 1_500 }, (_, n) => field(`c${n}`)).join(''), 400, incomplete],
    ['a field of a megabyte', field('titulo', 'x'.repeat(1024 * 1024)) + end, 413, /passam do tamanho aceito/],
    ['a field named __proto__', field('__proto__') + end, 400, /^Selecione uma imagem/],
    ['a field without a name', part('Content-Disposition: form-data') + end, 400, /^Selecione uma imagem/],
    ['a part without headers', part('') + end, 400, /Selecione uma imagem|incompleto/],
    ['ten thousand headers', part('X: y\r\n'.repeat(10_000).trimEnd()) + end, 400, /Selecione uma imagem|incompleto/],
    ['JSON', '{"imagem":"x"}', 400, /^Selecione uma imagem/, 'application/json'],
    [
      'broken JSON in a field',
      part('Content-Disposition: form-data; name="a"\r\nContent-Type: application/json', '{') + end,
      400,
      /^Selecione uma imagem/,
    ],
    ['another type', '<xml/>', 415, /^Formato de envio não aceito/, 'application/xml'],
  ]
  test.each(forms)('%s: a message and a 4xx', async (_, body, status, message, type) => {
    await expectRefusal(await send(body, type), status, message)
  })

  test('any input is answered with a 4xx', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        `--${boundary}`,
        '\r\n',
        '\r\n\r\n',
        '--',
        'Content-Disposition: form-data; ',
        'name="imagem"',
        '; filename="x"',
        '\u0000',
        '\x89PNG\r\n\x1a\n',
        'RIFF\x04\0\0\0WEBP',
        '\xff\xd8\xff',
      ),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(file('imagem'), field('titulo'), end),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const { statusCode } = await site.app.inject({
          method: 'POST',
          url: path,
          headers: {
            authorization: `Bearer ${admin.token}`,
            'content-type': `multipart/form-data; boundary=${boundary}`,
          },
          payload: Buffer.from(pieces.join(''), 'latin1'),
        })
        return statusCode >= 400 && statusCode < 500
      }),
      { numRuns: 500, seed },
    )
  })

  test('public forms accept no files', async () => {
    const answer = await fetch(`${site.url}/api/peticoes`, { method: 'POST', body: imageForm(await aPicture()) })
    expect(answer.status).toBe(415)
  })
})

describe('reading the upload', () => {
  /** Sends the text only; returns the answer up to the given pattern. */
  function converse(text: string, until: RegExp): Promise<string> {
    const { port } = new URL(site.url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
        if (until.test(answer)) socket.destroy()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(answer))
    })
  }
  const head = (length: number, authorization: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${authorization}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`

  test('does not start without a valid session', async () => {
    expect(await converse(head(4_000_000, 'ninguem'), /continuar/)).toMatch(/^HTTP\/1\.1 401/)
  })

  test('does not start if the declared length is too large', async () => {
    expect(await converse(head(40_000_000, admin.token), /5 MB/)).toMatch(/^HTTP\/1\.1 413/)
  })

  test('stops at the limit if the length is not declared', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        if (sent === 0)
          controller.enqueue(
            Buffer.from('--x\r\nContent-Disposition: form-data; name="imagem"; filename="a.png"\r\n\r\n'),
          )
        sent += 65_536
        if (sent > 12 * 1024 * 1024) controller.close()
        else controller.enqueue(Buffer.alloc(65_536))
      },
    })
    const answer = await fetch(site.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    await expectRefusal(answer, 413, /5 MB/)
  })

  test('leaves no data if the client disconnects', async () => {
    const before = await storedCount()
    const { port } = new URL(site.url)
    for (let round = 0; round < 20; round += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write(
            `${head(4_000_000, admin.token)}--x\r\nContent-Disposition: form-data; name="imagem"; filename="a.png"\r\n\r\n${'y'.repeat(50_000)}`,
            () => setTimeout(() => socket.destroy(), round),
          ),
        )
        socket.on('close', () => resolve())
      })
    }
    expect(await storedCount()).toBe(before)
    expect(await uploadValid(await aPicture())).toMatchObject({ success: true })
  })
})

test('twelve concurrent images are all stored', { tags: ['slow'] }, async () => {
  const files = await Promise.all(Array.from({ length: 12 }, () => aPicture('jpeg', { width: 2_000, height: 1_500 })))
  const replies = await Promise.all(files.map(uploadValid))
  expect(replies.every(({ success }) => success)).toBe(true)
})
