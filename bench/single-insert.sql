-- The transaction of pgbench: one signature, one row.
\set n :n + 1
insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "redesSociais", "aceitaNovidades", "versaoConsentimento") values (gen_random_uuid(), gen_random_uuid(), 'juros', 'Fulano de Tal ' || :n, 'fulano-' || :n || '-' || :client_id || '@example.org', 'fulano-' || :n || '-' || :client_id || '@example.org', '(00) 00000-0000', 'Cidade Exemplo', 'SP', '@fulano', true, '2026-01');
