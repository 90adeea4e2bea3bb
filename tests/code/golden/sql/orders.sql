-- CREATE TABLE gone (a int);
CREATE TABLE IF NOT EXISTS app.users (id INT PRIMARY KEY, org_id INT REFERENCES orgs(id), name TEXT);
CREATE VIEW active AS SELECT * FROM users u JOIN orgs o ON o.id = u.org_id;
CREATE OR REPLACE FUNCTION add_one(a int, b int) RETURNS int AS $$
BEGIN
  RETURN a + 1;
END;
$$ LANGUAGE plpgsql;
CREATE PROCEDURE dbo.GetOrder @id INT
AS BEGIN
  SELECT * FROM orders WHERE id = @id
END
GO
CREATE TABLE [dbo].[Orders] (Id INT NOT NULL, Total MONEY)
GO
CREATE TRIGGER tr BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION add_one();
CREATE TABLE `items` (a int) ENGINE=InnoDB;
ALTER TABLE users ADD COLUMN x int;
INSERT INTO users (a) VALUES (lower('x'));
