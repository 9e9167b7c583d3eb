module binnacle.test/x509

go 1.24
